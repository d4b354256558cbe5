"""Words that codes are made of: short to say, easy to type, in the language that is spoken."""

from __future__ import annotations

from chronotable_host.language import tr_c

WORDS = tr_c(
    "nouns to make codes of: short, different, in small letters without accents",
    "acorn actor album alarm amber angel ankle apple apron arrow attic badge bagel baker banjo "
    "barn basin basket beach bead beard beaver bell bench berry bike bird biscuit blanket boat "
    "book boot bottle bowl box branch bread brick bridge broom brush bucket bus butter button "
    "cabin cable cake camel camera candle canoe card carpet carrot castle cat cave chair chalk "
    "cheese cherry chess circus clock cloud clown coat cocoa coin comet compass cookie copper "
    "coral corn cotton cow crab crane crayon cream crow crown cup curtain dance desk diamond dog "
    "doll dolphin donkey door dragon dream drum duck eagle ear engine fairy falcon farm feather "
    "fence fern ferry field fig finger fire fish flag flame flower flute fog forest fork fox frog "
    "garden gate giant ginger glass globe glove goat gold goose grape grass guitar hammer harbor "
    "harp hat hen hill honey horn horse house ice igloo island ivory jacket jam jar jelly jewel "
    "juice kettle key king kite kitten knee knot ladder lake lamp leaf lemon letter lily lion "
    "lizard lobster magnet mango map maple marble mask meadow melon milk mirror monkey moon "
    "mountain mouse mushroom music nail needle nest night nut oak oar ocean olive onion orange "
    "orchid otter oven owl paint panda paper parrot peach pear pearl pencil pepper piano picnic "
    "pillow pilot pine pirate planet plum pocket pond pony potato puddle puppet rabbit rain "
    "ribbon river road robin rocket rose ruby saddle sail salt sand scarf school sea shell ship "
    "shoe silk silver snail snow soap sock spider spoon squirrel star stone storm sugar summer "
    "sun swan table tea tent tiger toast tomato tower train tree trumpet tulip turtle umbrella "
    "valley violin wagon walnut water whale wheel whistle wind window winter wolf wood zebra",
).split()
