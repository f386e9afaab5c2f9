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
    section: row.cells[1].textContent,
    status: row.cells[2].dataset.status ?? "listed",
    age: row.cells[3].dataset.age === undefined ? null : Number(row.cells[3].dataset.age),
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
      status === "left out" ? (each) => each.status !== "listed" : (each) => !status || each.status === status;
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
    const key = column === 3
      ? (each) => each.age ?? Infinity
      : (each) => each.row.cells[column].textContent;
    const keyed = rows.map((each) => [key(each), each]);
    const compare = column === 3 ? (a, b) => (a < b ? -1 : a > b ? 1 : 0) : collator.compare;
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
  form.addEventListener("input", show);
  form.addEventListener("reset", () => setTimeout(show));
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("beforeprint", () => { while (end < shown.length) more(); });
  form.hidden = false;
  show();
  document.documentElement.classList.remove("loading");

  // A link to a rule opens the sections that it is folded into.
  const open = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let each = target; each; each = each.parentElement) if (each.localName === "details") each.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();
})();
