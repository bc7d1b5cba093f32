"""Function words, which queries leave out."""

_KOREAN = """
무엇 무슨 무엇인가 어떤 어떠 어떻 어떻게 누구 누가 언제 어디 어느 얼마 얼마나 왜 몇 각각
수 것 거 게 등 및 또 또는 그 이 저 이것 그것 때 중 위
위해 위한 위하여 대한 대해 대하여 관한 관해 관하여 통해 통한 통하여 따라 따른 따르면 의해 의한
있다 있는 있는지 있을 있을까 있을까요 있나요 있었다 있었던 있었나요 없는
하는 하는가 하는지 하나요 하면 하여 한 할 했나요 했는가 했을까요
된 될 되는 되는지 되며 되나요 되었나요 될까 될까요
인가 인가요 주세요 해주세요 설명해 설명해주세요 서술해주세요 알려주세요 말해주세요
"""
_ENGLISH = """
a am an and are as at be been being but by can could d did do does for from had has have he her hers
him his how i if in into is it its ll m me my nor of on or our ours re s she should so some such t
than that the their theirs them then there these they this those to too us ve was we were what when
where which while who whom whose why will with would you your yours
"""

KOREAN = frozenset(_KOREAN.split())
ENGLISH = frozenset(_ENGLISH.split())
