import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";

export default defineConfig({
  site: "https://docs.example.org",
  base: "/starlight",
  integrations: [
    starlight({
      title: "Manual",
      defaultLocale: "root",
      locales: { root: { label: "English", lang: "en" }, de: { label: "Deutsch", lang: "de" } },
      pagefind: false,
    }),
  ],
});
