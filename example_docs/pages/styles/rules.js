// A field above the table of rules, which hides the rows that do not hold all of its words.
// Without JavaScript, the table is whole.
document.addEventListener("DOMContentLoaded", () => {
  const place = document.getElementById("rules-filter");
  if (!place) return;
  const rows = [...document.querySelectorAll("table")]
    .find((table) => place.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING)
    .querySelectorAll("tbody tr");

  const field = document.createElement("input");
  field.type = "search";
  field.id = "rules-words";
  field.placeholder = "error robots.txt";
  const label = document.createElement("label");
  label.htmlFor = field.id;
  label.textContent = "Show rules with the words: ";
  const count = document.createElement("output");
  place.append(label, field, " ", count);

  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      shown += !row.hidden;
    }
    count.textContent = `${shown} of ${rows.length}`;
  };
  field.addEventListener("input", show);
  show();
});
