// A report in words: names, scores as they are said, reasons, one sentence for those who listen.
// It knows the texts of one language and the report; it touches no element of the page.

export const WAITING = ["awaiting_envido", "awaiting_flor"];
export const OVER = ["game_over", "match_over"];
const MANY = /^(los|las|os|as|els|les) /i;

// Fetches words and calls spoken(telling). The function it gives back is told the table's language.
export function speaker(asked, spoken, list) {
  let language = "";
  const speak = (wanted) => {
    if (!wanted || wanted === language) return;
    language = wanted;
    fetch(`/words/${encodeURIComponent(wanted)}${list || ""}.json`)
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.status))))
      .then((texts) => {
        if (wanted !== language) return;
        document.documentElement.lang = wanted;
        spoken(new Telling(texts, asked.get("ours") || "A"));
      })
      .catch(() => {
        if (wanted !== language) return;
        language = "";
        setTimeout(() => language || speak(wanted), 2000);
      });
  };
  speak(document.documentElement.lang);
  return (wanted) => asked.get("lang") || speak(wanted);
}

const SEATS = { A: "side.first", B: "side.second", C: "side.third" };
const TEAMS = { A: "side.ours", B: "side.theirs" };

export class Telling {
  // `texts`: msgid -> sentence with {fields}. `first`: whose side stands on the left.
  constructor(texts, first) {
    this.texts = texts;
    this.first = first;
  }

  say(key, fields) {
    const text = this.texts[key];
    if (text === undefined) return "";
    return text.replace(/\{(\w+)\}/g, (_, name) => (fields && name in fields ? fields[name] : ""));
  }

  order(state) {
    const at = Math.max(0, state.sides.indexOf(this.first));
    return state.sides.slice(at).concat(state.sides.slice(0, at));
  }

  name(state, side) {
    if (side === "gallo" && state.gallo) return this.name(state, state.gallo);
    if (side === "pair") return this.pair(state);
    if (!state.sides.includes(side)) return "";
    return (state.names || {})[side] || this.unnamed(state, side);
  }

  unnamed(state, side) {
    return this.say((state.sides.length > 2 ? SEATS : TEAMS)[side]);
  }

  pair(state) {
    const names = state.sides.filter((side) => side !== state.gallo).map((side) => (state.names || {})[side]);
    return names.length === 2 && names.every(Boolean) ? names.join(" + ") : this.say("side.pair");
  }

  // Never past the target, but a pile may grow past where it began.
  shown(state, score, side) {
    return state.pot === null ? Math.min(score[side], state.target) : score[side];
  }

  spoken(state, side) {
    const [number, half] = state.spoken[side];
    const one = number === 1 ? ".one" : "";
    return half ? this.say(`half.${half}${one}`, { number }) : "";
  }

  versus(state, score) {
    const points = this.order(state).map((side) => this.shown(state, score, side));
    if (points.length === 2) return this.say("score.to", { mine: points[0], theirs: points[1] });
    return points.join(" · ");
  }

  points(value) {
    if (value === "game" || value === "series") return this.say(`stake.${value}.short`);
    return value === null || value === undefined ? "" : String(value);
  }

  stake(value) {
    if (value === "game" || value === "series") return this.say(`stake.${value}`);
    return this.say("stake.points", { points: value });
  }

  // What a bet pays; two amounts where it depends on who wins it.
  pays(state, value) {
    if (value === null || typeof value !== "object") return this.points(value);
    const sides = this.order(state).filter((side) => side in value);
    const each = (sides.length ? sides : Object.keys(value)).map((side) => this.points(value[side]));
    return Array.from(new Set(each)).join("/");
  }

  signed(points) {
    return points > 0 ? `+${points}` : `−${Math.abs(points)}`;
  }

  why(why, word) {
    return this.say(why === "hand" && word ? "why.hand.word" : `why.${why}`, { word });
  }

  number(n) {
    return this.say(`number.${n}`) || String(n);
  }

  special(special) {
    if (special.kind === "mao") return this.say("state.mao", { number: this.number(special.number) });
    if (special.kind === "iron") return this.say("state.iron");
    return special.kind === "both_singing" ? this.say("singing.both") : this.say("singing.call");
  }

  rest(special) {
    const key = { mao: "state.mao.rest", iron: "state.iron.rest" }[special.kind];
    return key && !special.deciding ? this.say(key, { points: this.points(special.worth) }) : "";
  }

  // The line of state: what everybody should know now, the most pressing thing first.
  state(state, board) {
    const mano = this.name(state, state.mano);
    if (state.duel) {
      const n = state.duel;
      const duels = board ? board.duels : 3;
      const told = this.say("state.duel", { number: n, duels, one: n, other: n + duels });
      const points = this.order(state).map((each) => (state.duel_points || {})[each] || 0);
      return `${told} · ${points.join("–")}`;
    }
    const last = state.pot === null ? state.target - 1 : 1;
    const near = state.sides.filter((each) => state.score[each] === last);
    if (near.length === 2 && state.sides.length === 2) return this.say("state.both_one_away");
    if (near.length) return this.say("state.one_away", { side: near.map((each) => this.name(state, each)).join(", ") });
    if (state.pot !== null) return this.say("state.pot", { points: state.pot, side: mano });
    if (state.gallo) return this.say("state.gallo", { gallo: this.name(state, state.gallo), side: mano });
    const good = state.sides.every((each) => state.spoken[each][1] === "buenas");
    return good ? this.say("state.in_buenas") : this.say("state.mano", { side: mano });
  }

  won(state) {
    const side = state.winner;
    if (state.sides.length === 2 && !(state.names || {})[side]) {
      return this.say(side === this.order(state)[0] ? "game.won.ours" : "game.won.theirs");
    }
    const name = this.name(state, side);
    return this.say(MANY.test(name) ? "game.won.many" : "game.won", { side: name });
  }

  byHowMuch(state) {
    const points = state.sides.map((side) => this.shown(state, state.score, side)).sort((a, b) => a - b);
    if (state.pot !== null) return this.say("game.by", { points: points[1] - points[0] });
    return this.say("game.by", { points: points[points.length - 1] - points[points.length - 2] });
  }

  next(state, next) {
    const special = next.special;
    if (special && special.kind === "mao") {
      return this.say("mao.next", { number: this.number(special.number), side: this.name(state, special.decider) });
    }
    if (special && special.kind === "iron") return this.say("iron.next", { points: special.worth });
    if (special && special.kind === "singing") return this.say("singing.next", { side: this.name(state, special.decider) });
    if (special) return this.say("singing.both");
    if (next.gallo) return this.say("over.next.gallo", { side: this.name(state, next.gallo) });
    const key = next.kind === "normal" ? "over.next" : `over.next.${next.kind}`;
    return this.say(key, { side: this.name(state, next.mano) });
  }

  // What an entry of the history tells; its points are of its side.
  entry(state, entry) {
    const paid = entry.points !== 0;
    return {
      gain: paid ? this.signed(entry.points) : "",
      what: paid ? this.why(entry.key, entry.word) : entry.word || this.say(`action.${entry.key}`),
      score: this.order(state).map((side) => this.shown(state, entry.score, side)).join("–"),
    };
  }

  // The whole report as one sentence, for a reader of the screen and the title.
  sentence(report) {
    const { state, board } = report;
    const scores = this.order(state).map((side) => {
      const said = this.spoken(state, side) || this.shown(state, state.score, side);
      return `${this.name(state, side)} ${said}`;
    });
    return [`${scores.join(", ")}.`, this.event(state, board)].join(" ").trim();
  }

  event(state, board) {
    if (state.winner) return this.won(state);
    const { call, special, gains } = board || this.bare(state);
    if (call && call.family === "mao") return this.say("mao.ask", { side: this.name(state, call.by) });
    if (call && call.no_quiero) {
      const either = [call.quiero, call.no_quiero].map((worth) => `${worth.word} ${this.pays(state, worth.points)}`.trim());
      return `${this.name(state, call.by)}: ${this.shout(call)} ${either.join(", ")}.`;
    }
    if (call) return `${this.say("winner.ask", { word: call.word })} ${this.say("winner.who")}`;
    if (gains.length) return gains.map((gain) => this.gain(state, gain)).join(". ");
    return special ? `${this.special(special)}. ${this.rest(special)}` : "";
  }

  shout(call) {
    return this.say("web.shout", { word: call.family === "singing" ? this.say("singing.call") : call.word });
  }

  gain(state, gain) {
    const fields = { points: this.signed(gain.points), side: this.name(state, gain.to), why: this.why(gain.why, gain.word) };
    return this.say("web.gain", fields);
  }

  // Where the rules' part is missing: what the state document itself says of a call.
  bare(state) {
    const told = state.pending;
    const worth = (action, points) => ({ word: this.say(`action.${action}`), points, wins: false });
    const call = told && {
      word: told.call.replace(/_/g, " "),
      family: "",
      by: told.by,
      owes: [],
      quiero: worth("quiero", told.quiero),
      no_quiero: worth("no_quiero", told.no_quiero),
      suspended: "",
    };
    return { ladder: [], special: null, call, gains: [], next: null };
  }

  ago(seconds) {
    const n = Math.floor(seconds);
    if (n < 90) return this.say("web.ago.seconds", { number: n });
    if (n < 5400) return this.say("web.ago.minutes", { number: Math.round(n / 60) });
    return this.say("web.ago.hours", { number: Math.round(n / 3600) });
  }
}
