"""Play the lowest number that is legal; off the led suit, of equal numbers the one held most.

A low card is rarely the second highest of its suit, so this player collects little; it gets rid of
negative numbers early and keeps its high cards for the end. A wild is played only when nothing else
is legal.

Source: rule sheet, section 8, item 3.
"""
