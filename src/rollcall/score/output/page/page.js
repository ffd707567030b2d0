"use strict";
// The table of questions: filtered and sorted in memory, drawn a page at a time.
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
  { name: "found", number: true, value: (q) => q.found.length },
  { name: "missed", number: true, value: (q) => q.missed.length },
  { name: "wrong", number: true, value: (q) => q.wrong.length },
];
let questions, texts;
const view = { sort: null, down: false, page: 0, places: [] };

function answeredBy(run) {
  questions = data.runs[run].questions;
  texts = questions.map((q) =>
    [q.id, q.question, ...q.found, ...q.missed, ...q.wrong, ...q.repeated].join("\n").toLowerCase());
}
answeredBy(0);

const states = {
  "": () => true,
  perfect: (q) => !q.missed.length && !q.wrong.length && q.state === "answered",
  part: (q) => q.found.length > 0 && q.missed.length > 0,
  none: (q) => !q.found.length,
  wrong: (q) => q.wrong.length > 0,
  failed: (q) => q.state !== "answered",
};

function select() {
  const wanted = byId("search").value.trim().toLowerCase();
  const fits = states[byId("state").value];
  const kind = byId("kind").value;
  view.places = [];
  questions.forEach((q, place) => {
    if (fits(q) && (!kind || q.kind === kind) && (!wanted || texts[place].includes(wanted))) view.places.push(place);
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
  byId("rows").replaceChildren(...shown.map((place) => row(questions[place])));
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

function row(q) {
  const name = element("td", {}, element("div", {}, q.question || q.id));
  if (q.question) name.append(element("div", { class: "id" }, q.id));
  if (q.state !== "answered") {
    name.append(element("div", { class: "state" }, q.state === "failed" ? `failed: ${q.why}` : "no prediction"));
  }
  const numbers = columns.slice(1).map((column) => {
    const value = column.value(q);
    const text = value === null ? "–" : column.share === undefined ? value : column.share ? (100 * value).toFixed(1) : value.toFixed(2);
    return element("td", { class: "number" }, String(text));
  });
  const answers = element("td", { class: "answers" });
  for (const outcome of ["found", "missed", "wrong", "repeated"]) {
    if (q[outcome].length) answers.append(chips(outcome, q[outcome]));
  }
  return element("tr", {}, name, ...numbers, answers);
}

function chips(outcome, names) {
  const made = (name) => element("span", { class: "chip" }, name);
  const list = element("div", { class: `outcome ${outcome}` }, element("b", {}, outcome), ...names.slice(0, CHIPS).map(made));
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
if (data.runs.length > 1) {
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
for (const id of ["state", "kind"]) byId(id).addEventListener("change", select);
select();
