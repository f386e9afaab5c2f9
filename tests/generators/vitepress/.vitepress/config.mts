import { defineConfig } from "vitepress";

export default defineConfig({
  title: "Manual",
  base: "/vitepress/",
  cleanUrls: true,
  lastUpdated: true,
  locales: {
    root: { label: "English", lang: "en" },
    de: { label: "Deutsch", lang: "de" },
  },
  sitemap: { hostname: "https://docs.example.org/vitepress/" },
});
