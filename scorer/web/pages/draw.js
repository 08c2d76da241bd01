// Drawings: points laid out as matches in squares or triangles, and the score hand by hand.
// The inputs are numbers and boxes.

const SVG = "http://www.w3.org/2000/svg";
const SIDE = 100; // of a shape, and the length of a match
const STEP = 128; // distance between shapes
const LINE = 46; // room for the line between the halves

export function shape(tag, attributes, ...inside) {
  const made = document.createElementNS(SVG, tag);
  for (const name of Object.keys(attributes || {})) made.setAttribute(name, attributes[name]);
  made.append(...inside);
  return made;
}

// The matches of a shape by its points: start, angle and length, in lengths of a side. The heads go round.
const SQUARE = [
  [0, 100, -90, 1],
  [0, 0, 0, 1],
  [100, 0, 90, 1],
  [100, 100, 180, 1],
];
const SLANT = 1.118; // from a corner of the base to the middle of the top
const MATCHES = {
  5: [...SQUARE, [4, 96, -45, 1.32]],
  4: SQUARE,
  3: [
    [0, 100, -63.43, SLANT],
    [50, 0, 63.43, SLANT],
    [100, 100, 180, 1],
  ],
};
const PLACES = {
  5: "M0 22V0H22M78 0H100V22M100 78V100H78M22 100H0V78",
  3: "M10 80L0 100H22M40 20L50 0L60 20M78 100H100L90 80",
};
PLACES[4] = PLACES[5];

// Offsets of angle and position, as if laid by hand; constant for each place.
function jitter(n) {
  const noise = Math.sin(n * 12.9898) * 43758.5453;
  return noise - Math.floor(noise) - 0.5;
}

function match(n, index, size, isNew) {
  const [x, y, angle, length] = MATCHES[size][index];
  const place = n * size + index + 1;
  const turn = angle + 5 * jitter(place);
  const moved = `translate(${x + 4 * jitter(place + 50)} ${y + 4 * jitter(place + 99)}) rotate(${turn})`;
  const long = length === 1 ? "" : ` scale(${length} 1)`;
  return shape("g", { transform: moved + long }, shape("use", { href: "#match", class: isNew ? "new" : "" }));
}

function drawShape(n, column, row, size, points, before) {
  const group = shape("g", { transform: `translate(${column * STEP} ${row})` });
  if (points <= 0) {
    group.append(shape("path", { class: "place", d: PLACES[size] }));
  }
  for (let index = 0; index < Math.min(size, points); index += 1) {
    group.append(match(n, index, size, n * size + index >= before));
  }
  return group;
}

// Rows and columns for `count` shapes per half that are largest in `box` ({width, height}).
export function tallyLayout(counts, box) {
  const most = Math.max(...counts);
  let best = null;
  for (let columns = 1; columns <= most; columns += 1) {
    const rows = counts.map((count) => Math.ceil(count / columns));
    const width = columns * STEP - (STEP - SIDE);
    const height = rows.reduce((all, row) => all + row * STEP, 0) - (STEP - SIDE) + (counts.length - 1) * LINE;
    const scale = Math.min(box.width / (width + 24), box.height / (height + 24));
    if (!best || scale > best.scale) best = { columns, rows, width, height, scale };
  }
  return best;
}

// Lays out `score` of `total` points in shapes of `size` points, 5, 4 or 3; `half`: the last point
// above the line, or null. Those past `before` are new and fall onto the table.
export function drawTally(score, { total, half, size = 5, before, box, labels }) {
  const shapes = (points) => Math.ceil(points / size);
  const halves = half ? [half, total - half] : [Math.max(total, score)];
  const layout = tallyLayout(halves.map(shapes), box);
  const x = labels && half ? 46 : 0;
  const svg = shape("svg", {
    viewBox: `${-12 - x} -12 ${layout.width + 24 + x} ${layout.height + 24}`,
    class: "matches",
    "aria-hidden": "true",
    focusable: "false",
  });
  let top = 0;
  let first = 0;
  halves.forEach((points, index) => {
    const low = index ? half : 0;
    for (let at = 0; at < shapes(points); at += 1) {
      const column = at % layout.columns;
      const row = Math.floor(at / layout.columns);
      const laid = Math.max(0, Math.min(points, score - low) - size * at);
      const from = before - low - size * at;
      svg.append(drawShape(first + at, column, top + row * STEP, size, laid, from + (first + at) * size));
    }
    first += shapes(points);
    top += layout.rows[index] * STEP;
    if (index < halves.length - 1) {
      const y = top - (STEP - SIDE) / 2 + LINE / 2;
      svg.append(shape("path", { class: "between", d: `M-8 ${y}H${layout.width + 8}` }));
      top += LINE;
    }
  });
  if (labels && half) drawLabels(svg, labels, layout);
  return svg;
}

// "malas" above the line and "buenas" below it, at the edge, from bottom to top.
function drawLabels(svg, labels, layout) {
  const upper = layout.rows[0] * STEP - (STEP - SIDE);
  const lower = layout.height - (layout.rows[1] * STEP - (STEP - SIDE)) / 2;
  [upper / 2, lower].forEach((y, index) => {
    const text = shape("text", { class: "half", transform: `translate(-26 ${y}) rotate(-90)` });
    text.textContent = labels[index];
    svg.append(text);
  });
}

const HIGH = 420;

// The score after each hand as steps, a line per side. `hands`: [{hand, score}], the start first;
// `box`: {width, height} to fill.
export function drawChart(hands, { sides, target, half, title, box }) {
  const tall = HIGH + 94;
  const wide = Math.max(HIGH, (tall * box.width) / Math.max(1, box.height));
  const run = wide - 170;
  const svg = shape("svg", { viewBox: `-70 -34 ${wide} ${tall}`, class: "steps", role: "img", "aria-label": title });
  const most = Math.max(target, ...hands.map((each) => Math.max(...sides.map((side) => each.score[side]))));
  const x = (at) => (hands.length > 1 ? (at * run) / (hands.length - 1) : 0);
  const y = (points) => HIGH - (points * HIGH) / most;
  const rule = (points, kind) => {
    svg.append(shape("path", { class: `rule ${kind}`, d: `M0 ${y(points)}H${run}` }));
    svg.append(textElement(String(points), -18, y(points), "scale"));
  };
  rule(0, "base");
  if (half) rule(half, "middle");
  rule(target, "target");
  hands.forEach((each, at) => {
    const every = Math.ceil((hands.length - 1) / 12);
    if (at && (at % every === 0 || at === hands.length - 1)) svg.append(textElement(String(each.hand), x(at), HIGH + 36, "hands"));
  });
  const ends = spreadLabels(sides.map((side) => y(hands[hands.length - 1].score[side])));
  sides.forEach((side, index) => {
    const d = hands.map((each, at) => (at ? `H${x(at)}V${y(each.score[side])}` : `M0 ${y(each.score[side])}`)).join("");
    svg.append(shape("path", { class: `run run-${index}`, d }));
    svg.append(textElement(String(hands[hands.length - 1].score[side]), run + 20, ends[index], "last"));
  });
  return svg;
}

// Move overlapping figures at the ends of lines apart.
function spreadLabels(ys) {
  const apart = 46;
  const order = ys.map((y, index) => ({ y, index })).sort((a, b) => b.y - a.y);
  order.forEach((each, at) => {
    if (at) each.y = Math.min(each.y, order[at - 1].y - apart);
  });
  return order.sort((a, b) => a.index - b.index).map((each) => each.y);
}

function textElement(text, x, y, kind) {
  const made = shape("text", { x, y, class: kind, dy: ".35em" });
  made.textContent = text;
  return made;
}
