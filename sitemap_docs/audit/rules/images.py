"""Rules about images in sitemaps."""

from __future__ import annotations

from sitemap_docs.audit.registry import Findings, rule
from sitemap_docs.audit.site import Site
from sitemap_docs.audit.sitemaps import Sitemap, Url

MAX_IMAGES = 1_000
RETIRED = {"image:caption", "image:geo_location", "image:title", "image:license"}


@rule("error")
def too_many_images(url: Url, *, at_most: int = MAX_IMAGES) -> Findings:
    """An entry lists more images than Google reads.

    It reads 1,000 for one page.
    List the images that matter.
    Source: https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps.
    """
    if len(url.images) > at_most:
        yield url.place, f"The entry has {len(url.images):,} images; the limit is {at_most:,}. List fewer."


@rule("warning")
def image_tag_retired(sitemap: Sitemap) -> Findings:
    """An image has elements that Google no longer reads.

    caption, geo_location, title and license were retired in August 2022.
    Keep `image:loc` only.
    Source: https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions.
    """
    # One finding for each element, at the first entry that has it.
    retired = {tag: url for url in reversed(sitemap.urls) for tag in url.image_tags & RETIRED}
    for tag, url in sorted(retired.items()):
        yield url.place, f"<{tag}> is deprecated. Remove it."


@rule("error")
def image_missing_file(url: Url, site: Site) -> Findings:
    """A listed image does not exist.

    Crawlers get a 404.
    Build the sitemap with the site; hashed file names change with each build.
    Source: https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps.
    """
    for image in url.images:
        if site.is_ours(image) and not site.file_of(image):
            yield url.place, f"No file found for the image {image}. Build the sitemap again."
