"""How time and memory grow with the pages, the processes, the commits, the languages and the findings.

    python tests/bench/growth.py --sizes 10000 100000 1000000

It prints seconds of the processor, seconds that passed, and the peak of the largest process, also a page.
"""
