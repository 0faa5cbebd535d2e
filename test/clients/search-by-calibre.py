# Run by calibre-debug: asks a catalog as calibre's own store search does, and prints what it understood as JSON.
import json
import sys

from calibre.gui2.store.opensearch_store import open_search

url, query = sys.argv[-2:]
found = [
    {"title": result.title, "author": result.author, "downloads": result.downloads, "cover": result.cover_url}
    for result in open_search(url, query, max_results=10, timeout=20)
]
print("RESULT " + json.dumps(found))
