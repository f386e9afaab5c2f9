// As the theme of MyST's books: the addresses are those that the server of the build was asked for.
const http = require("http");

const content = `http://localhost:${process.env.CONTENT_CDN_PORT}`;
const base = process.env.BASE_URL || "";

async function answer(path, origin) {
  const site = await (await fetch(`${content}/config.json`)).json();
  const [project] = site.projects;
  const slugs = [project.index, ...project.pages.filter((page) => page.slug).map((page) => page.slug)];
  const url = (slug) => (slug === project.index ? "" : `/${slug.replace(/\.index$/, "").replace(/\./g, "/")}`);
  if (path === "/robots.txt") return `User-agent: *\nAllow: /\nSitemap: ${origin}/sitemap.xml\n`;
  if (path === "/sitemap.xml") {
    const urls = slugs.map((slug) => `<url><loc>${origin}${url(slug)}</loc></url>`).join("\n");
    return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`;
  }
  if (/\.(css|xsl|ico)$/.test(path)) return "";
  if (path.endsWith(".json")) return (await fetch(`${content}/content${path}`)).text();
  const slug = slugs.find((each) => [url(each), `/${each}`].includes(path.replace(/\/$/, "")));
  if (slug === undefined) return null;
  const page = await (await fetch(`${content}/content/${slug}.json`)).json();
  return `<!doctype html>\n<html lang="en"><head><title>${page.frontmatter.title}</title></head><body></body></html>\n`;
}

const server = http.createServer(async (request, response) => {
  const path = new URL(request.url, content).pathname.replace(base, "");
  const body = await answer(path, `http://${request.headers.host}`).catch(() => null);
  response.writeHead(body === null ? 404 : 200);
  response.end(body ?? "");
});

server.listen(process.env.PORT, () => console.log(`http://localhost:${process.env.PORT}`));
