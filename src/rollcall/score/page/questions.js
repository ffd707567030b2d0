"use strict";
// The table of questions: filtered and sorted in memory, drawn a page at a time. A question's details lie in
// compressed blocks, which are unpacked when a question is opened.
const data = JSON.parse(document.getElementById("data").textContent);
const PAGE = 50, CHIPS = 12;
const byId = (id) => document.getElementById(id);
const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const columns = [
  { name: "question", value: (q) => (q.question || q.id).toLowerCase() },
  ...data.measures.map((m) => ({ name: m.name, number: true, share: m.share, value: (q) => q.values[m.place] })),
  ...(data.gold ? [{ name: "answers", number: true, value: (q) => q.found.length }] : [
    { name: "found", number: true, value: (q) => q.found.length },
    { name: "missed", number: true, value: (q) => q.missed.length },
    { name: "wrong", number: true, value: (q) => q.wrong.length },
  ]),
];
const several = data.runs.length > 1;
const colour = (run) => `run-${run % 8}`;
const letter = (run) => String.fromCharCode(97 + (run % 26)) + (run >= 26 ? Math.floor(run / 26) : "");
let details = null;
const unpacked = new Map();

async function detailOf(place) {
  details ??= JSON.parse(byId("details").textContent);
  const block = Math.floor(place / details.block);
  if (!unpacked.has(block)) {
    const bytes = Uint8Array.from(atob(details.blocks[block]), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    unpacked.set(block, await new Response(stream).json());
  }
  return unpacked.get(block)[place % details.block];
}
let questions, texts;
const view = { sort: null, down: false, page: 0, places: [] };

function answeredBy(run) {
  questions = data.runs[run].questions;
  texts = null;
}
// What is searched, made when something is first searched for.
const textsOf = () => texts ??= questions.map((q) =>
  [q.id, q.question, ...q.found, ...q.missed, ...q.wrong, ...q.repeated, ...(q.neutral ?? [])].join("\n").toLowerCase());
answeredBy(0);

const states = {
  "": () => true,
  perfect: (q) => !q.missed.length && !q.wrong.length && q.state === "answered",
  part: (q) => q.found.length > 0 && q.missed.length > 0,
  none: (q) => !q.found.length,
  imperfect: (q) => q.missed.length > 0 || q.wrong.length > 0 || q.state !== "answered",
  wrong: (q) => q.wrong.length > 0,
  failed: (q) => q.state !== "answered",
};

function select() {
  const wanted = byId("search").value.trim().toLowerCase();
  const fits = states[byId("state").value];
  const kind = byId("kind").value, where = byId("where").value;
  const least = parseFloat(byId("least").value), cost = byId("cost").value;
  const each = [...document.querySelectorAll("#systems select")]
    .map((choice, run) => [data.runs[run].questions, states[choice.value]])
    .filter(([, fits]) => fits !== states[""]);
  const has = (q, place) => where
    ? q[where].some((name) => name.toLowerCase().includes(wanted)) : textsOf()[place].includes(wanted);
  view.places = [];
  questions.forEach((q, place) => {
    if (fits(q) && (!kind || q.kind === kind) && (!(wanted || where) || has(q, place))
      && (!(least >= 0) || (q.costs?.[cost] ?? -1) >= least)
      && each.every(([all, fits]) => fits(all[place]))) view.places.push(place);
  });
  if (view.sort !== null) {
    const value = columns[view.sort].value, way = view.down ? -1 : 1;
    const key = view.places.map((place) => [value(questions[place]), place]);
    key.sort(([a, i], [b, j]) => {
      if (a === b) return i - j;
      if (a === null) return 1;
      if (b === null) return -1;
      return (a < b ? -1 : 1) * way;
    });
    view.places = key.map(([, place]) => place);
  }
  view.page = 0;
  draw();
}

function draw() {
  const pages = Math.max(1, Math.ceil(view.places.length / PAGE));
  const shown = view.places.slice(view.page * PAGE, (view.page + 1) * PAGE);
  byId("rows").replaceChildren(...shown.map((place) => row(questions[place], place)));
  if (!shown.length) {
    const cell = element("td", { class: "empty", colspan: columns.length + 1 }, "No question fits these filters.");
    byId("rows").append(element("tr", {}, cell));
  }
  byId("count").textContent = `${view.places.length.toLocaleString("en")} of ${questions.length.toLocaleString("en")} questions`;
  byId("page").textContent = `page ${view.page + 1} of ${pages}`;
  for (const id of ["first", "previous"]) byId(id).disabled = view.page === 0;
  for (const id of ["next", "last"]) byId(id).disabled = view.page >= pages - 1;
  columns.forEach((column, place) => {
    const sorted = view.sort === place ? (view.down ? "descending" : "ascending") : "none";
    const head = byId("head").children[place];
    head.setAttribute("aria-sort", sorted);
    head.firstChild.textContent = column.name + { ascending: " ▲", descending: " ▼", none: "" }[sorted];
  });
}

function row(q, place) {
  const opener = element("button", { type: "button", class: "opener", "aria-expanded": "false" }, q.question || q.id);
  const name = element("td", {}, opener);
  if (q.kind) name.append(element("span", { class: "kind" }, q.kind));
  if (q.question) name.append(element("div", { class: "id" }, q.id));
  if (q.state !== "answered") {
    name.append(element("div", { class: "state" }, q.state === "failed" ? `failed: ${q.why}` : "no prediction"));
  }
  if (several && data.lead !== null) name.append(scores(place));
  const numbers = columns.slice(1).map((column) => {
    const value = column.value(q);
    const text = value === null ? "–" : column.share === undefined ? value : column.share ? (100 * value).toFixed(1) : value.toFixed(2);
    return element("td", { class: "number", "data-name": column.name }, String(text));
  });
  const answers = element("td", { class: "answers" });
  for (const outcome of ["found", "missed", "wrong", "repeated"]) {
    if (q[outcome].length) answers.append(chips(outcome, q[outcome], data.gold ? "answers" : outcome));
  }
  if (q.neutral) answers.append(chips("neutral", q.neutral, data.gold ? "neutral" : "ignored"));
  const made = element("tr", {}, name, ...numbers, answers);
  opener.addEventListener("click", () => open(made, opener, place));
  return made;
}

// The leading measure of every system on one question, each in its colour.
function scores(place) {
  const one = (run, number) => {
    const q = run.questions[place], value = q.values[data.lead];
    const text = q.state === "answered" && value !== null ? (100 * value).toFixed(0) : "–";
    return element("span", { class: `score ${colour(number)}`, title: run.name }, element("i"), `${letter(number)} ${text}`);
  };
  const measure = data.measures.find((m) => m.place === data.lead);
  return element("div", { class: "scores" }, measure ? `${measure.name} ` : "", ...data.runs.map(one));
}

async function open(above, opener, place) {
  if (opener.getAttribute("aria-expanded") === "true") {
    above.nextElementSibling.remove();
    opener.setAttribute("aria-expanded", "false");
    return;
  }
  opener.setAttribute("aria-expanded", "true");
  history.replaceState(null, "", `#${encodeURIComponent(questions[place].id)}`);
  const cell = element("td", { colspan: columns.length + 1, class: "detail" }, "…");
  above.after(element("tr", { class: "opened" }, cell));
  try {
    cell.replaceChildren(...detailParts(await detailOf(place), place));
  } catch (error) {
    cell.textContent = `The details cannot be shown: ${error.message}`;
  }
}

const titled = (title, ...parts) => element("section", {}, element("h3", {}, title), ...parts);

function detailParts(found, place) {
  const parts = [];
  const about = [found.split && `split ${found.split}`, found.cluster && `cluster ${found.cluster}`].filter(Boolean);
  if (about.length) parts.push(element("p", { class: "dim" }, about.join(" · ")));
  if (found.query) {
    const drawn = element("div", { class: "drawing" });
    if (found.drawing) {
      drawn.append(element("img", { alt: `drawing of the query ${found.query}`,
        src: `data:image/svg+xml,${encodeURIComponent(found.drawing)}` }));
    }
    parts.push(titled("Query", element("p", { class: "query" }, found.query), drawn));
  }
  if (found.wordings.length) {
    parts.push(titled("Other wordings", element("ul", {}, ...found.wordings.map((one) => element("li", {}, one)))));
  }
  parts.push(titled(several ? "Answers, side by side" : "Answers and their evidence", answersTable(found, place)));
  if (!data.gold) parts.push(...mistakes(place), ...passages(found));
  return parts;
}

// Which gold answers each system found, and by which name.
function answersTable(found, place) {
  const nameOf = (given) => new Map((given ?? []).map((one) => {
    const [label, name] = one.split(" ← ");
    return [label, name ?? ""];
  }));
  const named = data.gold ? [] : data.runs.map((run) => nameOf(run.questions[place].found));
  const ignored = data.gold ? [] : data.runs.map((run) => nameOf(run.questions[place].neutral));
  const heads = data.gold ? [] : data.runs.map((run, number) => element("th", { scope: "col" }, badge(number), run.name || "system"));
  const labelOf = (answer) => {
    const label = element("th", { scope: "row" }, answer.label);
    if (answer.alike && answer.id) label.append(element("span", { class: "id" }, ` ${answer.id}`));
    if (answer.aliases.length) label.append(element("div", { class: "id" }, `also ${answer.aliases.join(", ")}`));
    return label;
  };
  const as = (name) => name ? ` as ${name}` : "";
  const rows = found.answers.map((answer) => {
    const label = labelOf(answer);
    const cells = named.map((names, number) => names.has(answer.label)
      ? element("td", { class: "hit" }, badge(number), "✓", as(names.get(answer.label)))
      : element("td", { class: "miss" }, badge(number), "missed"));
    const proofs = answer.evidence.map((one) =>
      element("p", {}, one.title ? element("b", {}, `${one.title}: `) : "", ...marked(one.text, [answer.label, ...answer.aliases])));
    return element("tr", {}, label, ...cells, element("td", { class: "evidence" }, ...proofs));
  });
  rows.push(...found.neutral.map((answer) => {
    const cells = ignored.map((names, number) => names.has(answer.label)
      ? element("td", {}, badge(number), `given, ignored${as(names.get(answer.label))}`)
      : element("td", {}, badge(number), "not given"));
    const why = element("td", { class: "evidence" }, element("p", {}, `neutral: ${answer.reason}`));
    return element("tr", { class: "neutral" }, labelOf(answer), ...cells, why);
  }));
  const head = element("tr", {}, element("th", { scope: "col" }, "answer"), ...heads, element("th", { scope: "col" }, "evidence"));
  return element("div", { class: "wide" }, element("table", { class: "side" }, element("thead", {}, head), element("tbody", {}, ...rows)));
}

// A text with every name of an answer marked.
function marked(text, names) {
  const known = names.filter((name) => name.length > 1).sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\\/]/g, "\\$&"));
  if (!known.length) return [text];
  const parts = text.split(new RegExp(`(?<![\\p{L}\\p{N}])(${known.join("|")})(?![\\p{L}\\p{N}])`, "giu"));
  return parts.map((part, place) => place % 2 ? element("mark", {}, part) : part);
}

const badge = (number) => element("span", { class: `badge ${colour(number)}` }, several ? letter(number) : "");

function mistakes(place) {
  const lists = data.runs.flatMap((run, number) => {
    const q = run.questions[place];
    const costs = Object.entries(q.costs ?? {}).map(([name, value]) => `${name} ${+value.toPrecision(3)}`).join(", ");
    const told = [q.state === "failed" ? `failed: ${q.why}` : q.state === "missing" ? "no prediction" : "", costs].filter(Boolean).join(" · ");
    if (!q.wrong.length && !told) return [];
    const line = element("div", { class: "system" }, badge(number), element("b", {}, run.name || "system"), " ");
    if (told) line.append(element("span", { class: "dim" }, told));
    if (q.wrong.length) line.append(chips("wrong", q.wrong, "wrong"));
    return [line];
  });
  return lists.length ? [titled("Wrong answers and costs", ...lists)] : [];
}

function passages(found) {
  const lists = found.attempts.flatMap((attempt, number) => {
    if (!attempt.retrieved.length && !attempt.query) return [];
    const items = attempt.retrieved.map((one) => element("li", one.proves ? { class: "proves" } : {},
      element("b", {}, one.title), one.proves ? " (proves an answer)" : "", one.text ? element("p", {}, one.text) : ""));
    const more = attempt.more ? [element("p", { class: "dim" }, `and ${attempt.more.toLocaleString("en")} more`)] : [];
    const asked = attempt.query ? [element("p", { class: "query" }, attempt.query)] : [];
    const all = element("details", number || several ? {} : { open: "" },
      element("summary", {}, badge(number), `${data.runs[number].name || "system"}: ${attempt.retrieved.length + attempt.more} passages`),
      ...asked, element("ol", {}, ...items), ...more);
    return [all];
  });
  return lists.length ? [titled("Retrieved", ...lists)] : [];
}

function chips(outcome, names, title = outcome) {
  const made = (name) => element("span", { class: "chip" }, name);
  const list = element("div", { class: `outcome ${outcome}` }, element("b", {}, title), ...names.slice(0, CHIPS).map(made));
  if (names.length > CHIPS) {
    const more = element("button", { type: "button", class: "more" }, `${names.length - CHIPS} more`);
    more.addEventListener("click", () => {
      const rest = names.slice(CHIPS).map(made);
      more.replaceWith(...rest);
      rest[0].tabIndex = -1;
      rest[0].focus();
    });
    list.append(more);
  }
  return list;
}

columns.forEach((column, place) => {
  const button = element("button", { type: "button" }, column.name);
  button.addEventListener("click", () => {
    view.down = view.sort === place ? !view.down : Boolean(column.number);
    view.sort = place;
    select();
  });
  byId("head").append(element("th", { scope: "col", class: column.number ? "number" : "" }, button));
});
byId("head").append(element("th", { scope: "col" }, element("span", {}, "answers")));
const kinds = [...new Set(questions.map((q) => q.kind).filter(Boolean))].sort();
if (kinds.length > 1) {
  byId("kind-label").hidden = false;
  byId("kind").append(...kinds.map((kind) => element("option", { value: kind }, kind)));
}
if (data.gold) for (const id of ["state-label", "where-label"]) byId(id).hidden = true;
const costs = [...new Set(data.runs.flatMap((run) => run.questions.flatMap((q) => Object.keys(q.costs ?? {}))))];
if (costs.length) {
  byId("cost-label").hidden = false;
  byId("cost").append(...costs.map((name) => element("option", { value: name }, name)));
}
if (several) {
  byId("systems").hidden = false;
  const choices = { "": "any", perfect: "right", imperfect: "not right", none: "wholly wrong", wrong: "giving wrong answers", failed: "failed" };
  byId("systems").append(...data.runs.map((run, number) => {
    const choice = element("select", { "aria-label": `what ${run.name} did` },
      ...Object.entries(choices).map(([value, text]) => element("option", { value }, text)));
    choice.addEventListener("change", select);
    return element("label", {}, badge(number), run.name, choice);
  }));
  byId("run-label").hidden = false;
  byId("run").append(...data.runs.map((run, place) => element("option", { value: place }, run.name)));
  byId("run").addEventListener("change", () => {
    answeredBy(Number(byId("run").value));
    select();
  });
}
const turn = (change) => () => {
  view.page = change(view.page, Math.ceil(view.places.length / PAGE) - 1);
  draw();
};
byId("first").addEventListener("click", turn(() => 0));
byId("previous").addEventListener("click", turn((page) => page - 1));
byId("next").addEventListener("click", turn((page) => page + 1));
byId("last").addEventListener("click", turn((_, last) => last));
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("search").addEventListener("input", select);
byId("least").addEventListener("input", select);
for (const id of ["state", "kind", "where", "cost"]) byId(id).addEventListener("change", select);

// An address that ends in #ID opens that question; opening one puts its id there.
function openNamed() {
  const id = decodeURIComponent(location.hash.slice(1).replace(/%(?![0-9a-f]{2})/gi, "%25"));
  const place = id ? questions.findIndex((q) => q.id === id) : -1;
  if (place < 0) return;
  if (!view.places.includes(place)) {
    byId("filters").reset();
    answeredBy(0);
    select();
  }
  view.page = Math.floor(view.places.indexOf(place) / PAGE);
  draw();
  const opener = byId("rows").children[view.places.indexOf(place) % PAGE].querySelector(".opener");
  opener.click();
  opener.scrollIntoView();
}
window.addEventListener("hashchange", openNamed);
select();
openNamed();
