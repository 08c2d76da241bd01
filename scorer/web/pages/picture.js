// The picture of a game on a canvas: names, score, curve, and the call that was raised most.

const WIDE = 1080;
const RIM = 64;
const DASHES = [[], [4, 18], [26, 18]]; // of the curve of each side, as on the board
const SANS = '"Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif';

// `shown`: a document of /api/v1/shared; `longest`: a sentence or "".
export function drawPicture(canvas, shown, longest) {
  const pen = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const { phrases } = shown;
  const colours = phrases.order.map((_, at) => sideColour(at));
  pen.setLineDash([]);
  pen.fillStyle = colour("ground");
  pen.fillRect(0, 0, WIDE, WIDE);
  pen.strokeStyle = colour("edge");
  pen.lineWidth = 16;
  pen.strokeRect(8, 8, WIDE - 16, WIDE - 16);

  const write = (text, x, y, width, { size, weight, fill, align }) => {
    pen.fillStyle = fill;
    pen.textAlign = align || "center";
    pen.textBaseline = "alphabetic";
    for (let high = size; high > 10; high -= 2) {
      pen.font = `${weight || 400} ${high}px ${SANS}`;
      if (pen.measureText(text).width <= width) break;
    }
    pen.fillText(text, x, y, width);
  };
  const [ink, soft] = [colour("ink"), colour("soft")];
  write(phrases.game, WIDE / 2, 90, WIDE - 2 * RIM, { size: 36, fill: soft });
  const room = (WIDE - 2 * RIM) / phrases.order.length;
  phrases.order.forEach((side, at) => {
    const middle = RIM + room * (at + 0.5);
    const { name, score } = phrases.sides[side];
    const star = side === shown.winner ? "★ " : "";
    write(star + name, middle, 175, room - 40, { size: 52, weight: 700, fill: colours[at] });
    write(score, middle, 370, room - 40, { size: 200, weight: 900, fill: ink });
  });
  write(phrases.result, WIDE / 2, 470, WIDE - 2 * RIM, { size: 60, weight: 800, fill: ink });
  drawCurve(pen, shown, { colours, ink, soft, left: RIM + 50, top: 530, width: WIDE - 2 * RIM - 110, height: 380 });
  if (longest) write(longest, WIDE / 2, 1010, WIDE - 2 * RIM, { size: 34, fill: soft });
}

// A canvas knows no custom properties; that of a side refers to another one.
function sideColour(at) {
  const probe = document.createElement("i");
  probe.style.color = `var(--side-${at})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function drawCurve(pen, { hands, target, half, phrases }, { colours, ink, soft, left, top, width, height }) {
  if (hands.length < 2) return;
  const scores = hands.map((each) => phrases.order.map((side) => each.score[side]));
  const most = Math.max(target, ...scores.map((each) => Math.max(...each)));
  const x = (at) => left + (at * width) / (hands.length - 1);
  const y = (points) => top + height - (points * height) / most;
  pen.textBaseline = "middle";
  pen.font = `400 26px ${SANS}`;
  pen.textAlign = "right";
  pen.lineWidth = 2;
  pen.strokeStyle = soft;
  pen.fillStyle = soft;
  for (const points of [0, half, target]) {
    if (points === null) continue;
    pen.setLineDash(points === half ? [10, 10] : []);
    pen.beginPath();
    pen.moveTo(left, y(points));
    pen.lineTo(left + width, y(points));
    pen.stroke();
    pen.fillText(String(points), left - 14, y(points));
  }
  pen.lineWidth = 9;
  pen.lineCap = "round";
  pen.lineJoin = "round";
  phrases.order.forEach((_, index) => {
    pen.setLineDash(DASHES[index]);
    pen.strokeStyle = colours[index];
    pen.beginPath();
    pen.moveTo(x(0), y(scores[0][index]));
    scores.slice(1).forEach((each, at) => {
      pen.lineTo(x(at + 1), y(scores[at][index]));
      pen.lineTo(x(at + 1), y(each[index]));
    });
    pen.stroke();
  });
  pen.setLineDash([]);
  pen.textAlign = "left";
  pen.fillStyle = ink;
  const last = scores[scores.length - 1];
  const taken = [];
  last.forEach((points) => {
    if (taken.includes(points)) return;
    taken.push(points);
    pen.fillText(String(points), left + width + 14, y(points));
  });
}
