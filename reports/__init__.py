"""How results look: figures, tables and one self-contained page, in English and Chinese.

The only part that knows matplotlib. It names no game: what a game wants to say stands in its data.
"""
