// The search of the manual that Sphinx builds: headings with more of the words that were asked for come first,
// and what is for contributors last.
const asked = (new URLSearchParams(window.location.search).get("q") || "").toLowerCase().match(/\w{3,}/g) || [];
var Scorer = {
  score: ([page, title, , , score]) =>
    score + 10 * asked.filter((word) => title.toLowerCase().includes(word)).length
    - (["contributing", "changelog"].includes(page) ? 1000 : 0),
  // What Sphinx has by default.
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
