"use strict";
(() => {
  // For a browser with scripts, the table is a text, of which 20,000 rows are read at once. Those in sight
  // are put into a table and, as the page is scrolled, the next ones.
  const STEP = 100;
  const CHARACTERS = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };
  const form = document.getElementById("filters");
  const matches = document.getElementById("matches");
  const template = document.createElement("template");
  const written = document.getElementById("rows");
  const [start, lines] = written.textContent.split("<tbody>\n");
  template.innerHTML = `${start}<tbody></tbody></table>`;
  written.replaceWith(template.content);
  const table = document.getElementById("all-pages");
  const body = table.tBodies[0];
  const heads = Array.from(table.querySelectorAll("thead th"));
  const collator = new Intl.Collator("en", { numeric: true });
  const plain = (html) => html.replace(/<[^>]*>/g, "").replace(/&[#\w]+;/g, (name) => CHARACTERS[name]);
  const found = (html, expression) => plain(html.match(expression)?.[1] ?? "");
  const rows = lines.split("</tbody>")[0].trimEnd().split("\n").filter(Boolean).map((html) => ({
    html,
    status: found(html, /^<tr data-status="([^"]*)/),
    age: found(html, /^<tr[^>]* data-age="([^"]*)/),
    section: found(html, /<td class="section">(.*?)<\/td>/),
  }));
  const others = (key, ...known) =>
    Array.from(new Set(rows.map((each) => each[key]))).filter((each) => each && !known.includes(each)).sort();
  const reasons = others("status", "listed");
  if (reasons.length) reasons.unshift("listed", "left out");
  for (const [name, choices] of [["section", others("section")], ["status", reasons]]) {
    for (const choice of choices) form.elements[name].add(new Option(choice));
  }
  let shown = rows;
  let end = 0;

  function append() {
    template.innerHTML = shown.slice(end, end + STEP).map((each) => each.html).join("");
    body.append(template.content);
    end += STEP;
  }

  function more() {
    while (end < shown.length && table.getBoundingClientRect().bottom < 2 * innerHeight) append();
  }

  function wanted({ text, section, status, age }) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const [above, most] = age.split(" ").map(Number);
    const isAge =
      age === "" ? () => true
      : age === "none" ? (each) => each.age === ""
      : (each) => each.age !== "" && each.age > above && each.age <= most;
    const isStatus =
      status === "left out" ? (each) => !["listed", "404 page"].includes(each.status) : (each) => !status || each.status === status;
    return (each) =>
      isStatus(each) && isAge(each) && (!section || each.section === section) &&
      words.every((word) => (each.text ??= plain(each.html).toLowerCase()).includes(word));
  }

  function show() {
    shown = rows.filter(wanted(Object.fromEntries(new FormData(form))));
    body.replaceChildren();
    end = 0;
    append();
    more();
    const count = (number) => number.toLocaleString("en");
    matches.textContent = `${count(shown.length)} of ${count(rows.length)} pages`;
  }

  function sort(column, descending) {
    const byAge = heads[column].className === "changed";
    const key = byAge
      ? (each) => (each.age === "" ? Infinity : Number(each.age))
      : (each) => plain(each.html.split(/<\/t[hd]>/)[column]);
    const keyed = rows.map((each) => [key(each), each]);
    const compare = byAge ? (a, b) => (a < b ? -1 : a > b ? 1 : 0) : collator.compare;
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
  addEventListener("scroll", more, { passive: true });
  addEventListener("resize", more);
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
  addEventListener("beforeprint", () => { while (end < shown.length) append(); });
  form.hidden = false;
  show();

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
