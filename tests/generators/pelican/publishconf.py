import os
import sys

sys.path.append(os.curdir)
from pelicanconf import *  # noqa: F403  as in the file that pelican-quickstart writes

SITEURL = "https://docs.example.org/pelican"
