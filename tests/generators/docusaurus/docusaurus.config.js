/** @type {import('@docusaurus/types').Config} */
const config = {
  title: "Manual",
  url: "https://docs.example.org",
  baseUrl: "/docusaurus/",
  onBrokenLinks: "throw",
  i18n: { defaultLocale: "en", locales: ["en", "de"] },
  presets: [["classic", { docs: {}, blog: { showReadingTime: false }, sitemap: { lastmod: "datetime" } }]],
};

module.exports = config;
