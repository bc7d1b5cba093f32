"""What the fallback says, as a Korean and an English product would say it."""

from saegim.locales import N_

HELLO = N_("Hello! I answer questions from your documents and remember what you tell me.")
HELLO_AGAIN = N_("Hello! What would you like to know?")
THANKS = N_("You're welcome! Ask me anything else.")
FAREWELL = N_("Goodbye! Come back any time.")
REMARK = N_("I see. Let me know if you have a question.")
COMPLAINT = N_(
    "I'm sorry that I wasn't helpful. Tell me in a sentence what you are looking for, "
    "and I'll search the documents again."
)
IDENTITY = N_(
    "I'm {name}. I find answers in your documents and show where they come from, and I remember "
    "what you tell me about yourself until you ask me to forget it."
)
TRY = N_("You could ask:")

NEEDS_MODEL = N_(
    "I need a language model for this: without one I can only search the documents, quote them and "
    "keep notes."
)
NEEDS_MODEL_NOW = N_("I need the language model for this, and it isn't answering at the moment.")
MODEL_FAILED = N_("The language model isn't answering at the moment. This is what I found myself:")
NOT_READ_YET = N_(
    "The language model isn't answering at the moment. What you wrote is kept in this conversation."
)
RELATED = N_("This may be about it:")

HEARD = N_("Got it.")
REMEMBERED = N_("I'll remember: {statements}")
UNDO_HINT = N_("To take it back, say “undo that”.")
MEMORY_OFF = N_("Got it. Memory is off for this conversation, so I won't keep it.")
FORGOTTEN = N_("I've forgotten: {statements}. To bring it back, say “undo”.")
PROPOSE_TO_FORGET = N_("Forget {statements}? Reply “yes” to forget it.")
PROPOSE_TO_LEAVE_OUT = N_("Leave {message} out of memory? Reply “yes” to do it.")
NOT_NOTED = N_("Got it. I won't keep a note of that.")
NOTHING_TO_FORGET = N_(
    "I found nothing like that in what I remember about you. On the memory page you can see "
    "everything, and forget it."
)
LEFT_OUT = N_("Got it. I won't remember that message.")
RESTORED = N_("I've undone that: {statements}.")
NOTHING_TO_RESTORE = N_("There is nothing to undo.")
KNOWN = N_("Here is what I remember about you:")
KNOWN_NOTHING = N_("I don't know anything about you yet. Tell me, and I'll remember it.")
YOU_SAID = N_("You told me this:")
EARLIER = N_("earlier, {day}")
NEAREST_SAID = N_("I'm not sure that this is what you mean, but it is the closest you told me:")
UNKNOWN_FACT = N_("You haven't told me that yet. Tell me, and I'll remember it.")

ASKED_HERE = N_("In this conversation you wrote, the latest first:")
FIRST_MESSAGE = N_("The first was: “{message}”")
NO_HISTORY = N_("You haven't written anything before this in our conversation.")

CLOSEST = N_("I'm not sure that this is the answer, but it is the closest I found:")
