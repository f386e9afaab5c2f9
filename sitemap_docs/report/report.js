"use strict";
(() => {
  // Rows live in an array; the table holds those in sight and, as the box is scrolled, the next ones.
  const STEP = 100;
  const box = document.getElementById("all-pages");
  const form = document.getElementById("filters");
  const matches = document.getElementById("matches");
  const body = box.querySelector("tbody");
  const heads = Array.from(box.querySelectorAll("thead th"));
  const collator = new Intl.Collator("en", { numeric: true });
  const rows = Array.from(body.rows, (row) => ({
    row,
    text: row.textContent.toLowerCase(),
    status: row.cells[1].dataset.status ?? "listed",
    age: row.cells[2].dataset.age === undefined ? null : Number(row.cells[2].dataset.age),
    section: row.cells[3].textContent,
  }));
  let shown = rows;
  let end = 0;

  function more() {
    body.append(...shown.slice(end, end + STEP).map((each) => each.row));
    end += STEP;
  }

  function wanted({ text, section, status, age }) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const [above, most] = age.split(" ").map(Number);
    const isAge =
      age === "" ? () => true
      : age === "none" ? (each) => each.age === null
      : (each) => each.age !== null && each.age > above && each.age <= most;
    const isStatus =
      status === "left out" ? (each) => !["listed", "404 page"].includes(each.status) : (each) => !status || each.status === status;
    return (each) =>
      isStatus(each) && isAge(each) && (!section || each.section === section) &&
      words.every((word) => each.text.includes(word));
  }

  function show() {
    shown = rows.filter(wanted(Object.fromEntries(new FormData(form))));
    body.replaceChildren();
    end = 0;
    box.scrollTop = 0;
    more();
    const count = (number) => number.toLocaleString("en");
    matches.textContent = `${count(shown.length)} of ${count(rows.length)} pages`;
  }

  function sort(column, descending) {
    const key = column === 2
      ? (each) => each.age ?? Infinity
      : (each) => each.row.cells[column].textContent;
    const keyed = rows.map((each) => [key(each), each]);
    const compare = column === 2 ? (a, b) => (a < b ? -1 : a > b ? 1 : 0) : collator.compare;
    keyed.sort(([a], [b]) => (descending ? compare(b, a) : compare(a, b)));
    keyed.forEach(([, each], number) => { rows[number] = each; });
    show();
  }

  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const descending = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      sort(column, descending);
    });
  });
  box.addEventListener("scroll", () => {
    if (end < shown.length && box.scrollTop + 2 * box.clientHeight > box.scrollHeight) more();
  }, { passive: true });
  // The address keeps the filter, as #list?status=noindex, and links to such addresses set it.
  const keep = () => {
    const set = Array.from(new FormData(form)).filter(([, value]) => value);
    history.replaceState(null, "", set.length ? `#list?${new URLSearchParams(set)}` : "#list");
    show();
  };
  form.addEventListener("input", keep);
  form.addEventListener("reset", () => setTimeout(keep));
  for (const link of document.querySelectorAll("[data-filter]")) link.hash = `list?${link.dataset.filter}`;
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("beforeprint", () => { while (end < shown.length) more(); });
  form.hidden = false;
  show();
  document.documentElement.classList.remove("loading");

  // A link to a rule opens the sections that it is folded into, and one to the list filters it.
  const open = () => {
    const [name, filter] = location.hash.slice(1).split("?");
    const target = name && document.getElementById(decodeURIComponent(name));
    if (filter !== undefined) {
      const wanted = new URLSearchParams(filter);
      for (const field of form.elements) if (field.name) field.value = wanted.get(field.name) ?? "";
      show();
    }
    for (let each = target; each; each = each.parentElement) if (each.localName === "details") each.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();
})();
