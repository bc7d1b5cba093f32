"""Labels of the pages that are looked up by name: codes of the API, roles, types."""

from saegim.domain.scope import Locale
from saegim.locales import N_, translate

LABELS = {
    "needs_name": N_("This key can act for several users. Enter your user name."),
    "wrong_key": N_("The key is invalid or has expired."),
    "wrong_password": N_("The e-mail address or the password is wrong."),
    "choose_organisation": N_(
        "You have several accounts. Choose one and enter the password again."
    ),
    "too_many_attempts": N_("Too many attempts. Please try again in {minutes} minutes."),
    "wrong_code": N_("The set-up code is wrong or has expired. Restart the server for a new one."),
    "wrong_email": N_("Not an e-mail address."),
    "empty_fields": N_("Please fill in every field."),
    "weak_password": N_("A password needs at least 10 characters."),
    "different_passwords": N_("The two passwords are not the same."),
    "link_expired": N_(
        "This link has expired or was already used. Ask your administrator for a new one."
    ),
    "link_refused": N_("This sign-in link has expired or was already used."),
    "issuer_refused": N_("Could not sign in with your company account. Please try again."),
}


def label(language: Locale, name: str) -> str:
    """Return the label of a name."""
    return translate(LABELS[name], language)
