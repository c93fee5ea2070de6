"""The words by which a final message is read, for each language: claims that tests pass, and what takes them back."""

import re
from typing import NamedTuple

from headway.rolling.lazy import regex


class Language(NamedTuple):
    """How a language says that tests pass. All patterns ignore case."""

    claim: re.Pattern[str]
    """That all tests pass; the group `words` is quoted, `count` is how many there are, `some` how many of them pass."""
    passes: re.Pattern[str]
    """After the name of a test, up to the word that says that it passes."""
    doubt: re.Pattern[str]
    """Before a claim in the same clause: it is hoped for, denied, asked for, or not the agent's own."""
    condition: re.Pattern[str]
    """Before a claim in the same sentence: it holds only then, or there."""
    goes_on: re.Pattern[str]
    """Right after a claim: the sentence ends, or goes on without limiting the claim."""
    exception: re.Pattern[str]
    """After a claim in the same sentence: not for all of them."""
    open: re.Pattern[str]
    """In any sentence: something fails, is left or was not run."""
    settled: re.Pattern[str]
    """In such a sentence: that is past, or was put right."""


def _of(pattern: str) -> re.Pattern[str]:
    return regex(pattern, re.IGNORECASE | re.VERBOSE)


_LABEL = r"""\A\W*(?![^:]*\b(?:tests?|testing|results?|status|summary|outcome|final\w*|verif\w+|valid\w+|checks?|checked
    |fix\w*|done|complete\w*|finish\w*|work\w*|solved|now|notes?|update|conclusion|i|it|we|ergebnis\w*|stand|fertig|erledigt
    |behoben|jetzt|ich|news|good|great|résultats?|resultados?)\b)[\w./-]+(?:[ ][\w./-]+){0,2}:\s*\Z"""
"""Before a claim: `parser:` says of what it is, and `Result:` does not."""
_FILLED = 5
"""How many words may come after the word for tests and before the outcome."""


def _chain(subject: str, fillers: str, outcome: str) -> str:
    return rf"{subject}(?:\s+(?:{fillers})){{0,{_FILLED}}}\s+(?:{outcome})(?!\w)"


_COUNT = r"(?:(?P<count>\d{1,6})|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_BEGINS = r"(?:\A|[^\w\s'-]\s*|\b(?:and|so|now|that|but|then|because|since|with)\s+)"
"""What a clause begins after: `tests pass` in the middle of one may be some tests only."""
_FILLERS = (
    r"now|still|again|all|also|already|do|have|has|had|been|are|is|were|was|currently|finally|continues?|to|remains?|stays?"
    r"|comes?|came|back|ran|runs?|locally|cleanly|fully|indeed|both"
)
_PASSES = r"pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|successful(?:ly)?|✅"
_ALL = _chain(
    rf"(?<!\w)all(?:[ ]of)?(?:[ ](?:the|my|our|your))?(?:[ ]{_COUNT})?[ ](?:tests|specs|test[ ]cases)"
    r"(?:[ ]in[ ](?:the|this)[ ](?:\w+[ ])?(?:suite|project|repository))?",
    _FILLERS, _PASSES,
)  # fmt: skip
_EACH = _chain(r"(?<!\w)(?:every|each)[ ](?:single[ ])?test", _FILLERS, _PASSES)
_BARE = _chain(r"(?:the[ ])?(?:tests|(?:(?:whole|full|entire|complete)[ ])?(?:test[ ]?)?suite)", _FILLERS, _PASSES)
_ENGLISH = Language(
    claim=_of(
        rf"""(?P<words>{_ALL}) | (?P<each>{_EACH}) | {_BEGINS}(?P<bare>{_BARE})
        | (?P<listed>(?<!\w)tests(?:[ ]status)?\s?[:=–-]\s?(?:(?:all|now|are)\s)*(?:{_PASSES})(?!\w))
        | (?P<share>(?<![\w./])(?P<some>\d{{1,6}})\s?(?:/|of|out[ ]of)\s?(?:the[ ]|all[ ])?(?P<of>\d{{1,6}})[ ]
            (?:tests|specs)
            (?:\s+(?:{_FILLERS})){{0,3}}\s(?:{_PASSES})(?!\w))
        | (?P<summary>(?<![\w./])(?P<passed>\d{{1,6}})[ ](?:tests?[ ])?(?:passed|passing),?[ ](?:and[ ])?(?:0|no
            |zero)[ ]
            (?:failed|failing|failures?)(?!\w))
        | (?P<none>(?<!\w)(?:(?:no|zero|0)[ ](?:more[ ]|remaining[ ])?(?:test[ ]failures|failing[ ]tests
            |failed[ ]tests|tests?[ ]fail(?:s|ed)?)
            |(?:none[ ]of|not[ ]one[ ]of)[ ]the[ ]tests[ ]fails?)(?!\w))
        | (?P<run>(?<!\w)ran[ ](?:the[ ]|all[ ]){{1,2}}(?:(?:whole|full|entire|complete)[ ])?(?:tests|
            (?:test[ ]?)?suite)(?:[ ]again)?
            (?:,?[ ]and|[,:;])[ ](?:everything|all|they[ ]all)(?:[ ](?:of[ ]it|of[ ]them|now|is|are|again)){{0,2}}[ ]
            (?:{_PASSES})(?!\w))"""
    ),
    passes=_of(r"[^.;:!?\n]{0,60}?(?<!\w)(?:pass(?:es|ed|ing)?|green|succeeds?|succeeded)(?!\w)|\s?[:=–-]?\s?✅"),
    doubt=_of(
        r"""(?<!\w)(?:should|would|could|might|may|will|must|shall|going[ ]to|let|needs?|needed|ha(?:s|ve)[ ]to
            |whether|if|how|make[ ]sure
        |making[ ]sure|ensur\w+|assum\w+|hopefully|probably|likely|seems?|appears?|theory|not|cannot|never|wants?
            |wanted|goal|aim|required?
        |requires|criteri\w+|expect\w*|supposed|asked|tr(?:y|ied)|make|get|claims?|said|says|states
            |reports?|reported|doubt\w*|wish\w*|yesterday|previously|originally|to[ ](?:be|get
            |make|check|see|verify|confirm|have)|almost
        |nearly|practically|virtually|half|most|some|none|few|without|before|only)(?!\w)|n't|'ll"""
    ),
    condition=_of(
        rf"""{_LABEL}|(?<!\w)(?:goal|aim|definition|criteri\w+|requirement|if|once|when|whenever|until|till|unless
            |as[ ]soon[ ]as|provided|before|prior|assuming|exclu\w+|deselect\w*)(?!\w)
        |(?:\A|[,;:]\s*)(?:after[ ])?(?:reverting|undoing|stashing|skipping|disabling|dropping)\b[^,;:]*,?\s*\Z
        |(?:\A|[,;:]\s*)(?:on|under|in|for|at|of|among|according[ ]to
            |with(?![ ](?:this|these|that|the|my)[ ](?:change|fix|patch|edit
            |commit)))\b[^,;:]*,?\s*\Z"""
    ),
    goes_on=_of(
        r"""(?:\s+(?:now|again|successfully|here|locally|as[ ]well|too|any[ ]?more))*\s*(?:\Z|[^\w\s]|(?:so|and
            |in[ ]\d|without
        |with[ ](?:no|zero|0|\d)|on[ ](?:my|this)[ ]machine|after[ ](?:the|this|that|my)[ ](?:change|fix|patch|edit))
            (?!\w))"""
    ),
    exception=_of(
        r"""(?<!\w)(?:except\w*|apart|aside|other[ ]than|besides|but|although|though|however|only|minus|barring
            |save[ ]for|unless|if|when
        |once|not|fail\w*|skip\w*|red|still[ ]to|exclu\w+|deselect\w*|mostly|partly|at[ ]least|some|two)(?!\w)|n't"""
    ),
    open=_of(
        r"""(?<!\w)(?:(?:still|currently|now|also|do|does|keeps?|continues?[ ]to|tests?|ones?|others?|rest|both|they
            |it|which|two|three|four
            |five|several|some|\d+)[ ](?:\w+[ ])?fail(?:s|ed|ing)?
        | (?<!that[ ])(?<!which[ ])(?<!if[ ])(?<!when[ ])fails | fail(?:s|ing)?[.,;)] | [1-9]\d*[ ](?:\w+[ ])?(?:fail
            (?:ed|ing|ures?)|errors?|red)
        | (?:one|two|three|four|five|some|several|remaining|known|unrelated|pre-?existing|expected)[ ]
            (?:\w+[ ])?failures? | (?<!no[ ])(?<!zero[ ])(?<!\b0[ ])(?<!any[ ])(?:test[ ]failures?|failing[ ]tests?)
        | (?:is|are|stays?|remains?|still|went|goes|now)[ ](?:still[ ]|now[ ])?(?:broken|red|flaky|failing|skipped
            |unresolved|open|missing)
        | except(?:[ ]for)? | apart[ ]from | aside[ ]from | all[ ]but | besides | unable | untested | unfinished
            | incomplete | xfail\w*
        | remains? | remaining | left[ ](?:alone|out|for|open|to|undone|as[ ]it) | to[ ]?do | known[ ]issues?
            | needs?[ ](?:a[ ]|your[ ]|more[ ])?(?:decision
            |work|attention|look|help|fixing) | (?:skipped|disabled|commented[ ]out|ignored)
        | not[ ](?:yet|all|every|run|tested|verified|done|finished|fixed|working|checked|complete\w*|implemented
            |pass\w*|touched|able)
        | (?:did|do|does|could|can|have|has|was|were|is|are)(?:n't|[ ]not)[ ](?:\w+[ ]){0,2}(?:run|ran|test\w*
            |verif\w+|check\w*|fix\w*|finish\w*|pass\w*|implement\w*
            |complete\w*|get|make|work\w*|solve\w*|touch\w*|able|done)
        | could(?:n't|[ ]not)(?![ ](?:resist|help|be[ ]happier)) | (?:gave|giving)[ ]up | ran[ ]out[ ]of | further[ ]
            (?:work|investigation)
        | (?P<part>\d{1,6})\s?(?:/|of|out[ ]of)\s?(?:the[ ])?(?!(?P=part)(?!\d))\d{1,6}[ ](?:\w+[ ])?(?:tests|specs
            |cases|scenarios|pass\w*|done)
        | (?:most|almost[ ]all|nearly[ ]all|half|none)[ ](?:of[ ])?(?:the[ ])?(?:tests|specs) | (?:\d+|one|two
            |three)[ ](?:didn't|did[ ]not|don't|do[ ]not)
        | cannot[ ](?:run|test|verify|check|fix|be) | (?:times|timed|timing)[ ]out | hangs? | crash(?:es|ing)|partial
            (?:ly)? | unfortunately)(?!\w)|[❌✗✘🔴]"""
    ),
    settled=_of(
        r"""(?<!\w)(?:(?<!not[ ])(?<!n't[ ])(?:fixed|resolved|repaired|corrected|solved)|no[ ]longer|used[ ]to
            |previously|earlier|was|were|had|any[ ]?more|now[ ]pass\w*|gone
        |no[ ](?:\w+[ ])?(?:failures?|failing|issues?|errors?)|nothing|none|intact|unchanged)(?!\w)|(?<!\w)(?:if|when
            |where|in[ ]case)\b[^.]{0,80}\bfails"""
    ),
)  # fmt: skip

_LAUFEN = (
    r"laufen|läuft|sind|ist|gehen|geht|wurden|wurde|haben|hat|waren|war|jetzt|nun|wieder|auch|weiterhin|inzwischen|damit|somit|lokal"
    r"|hier|komplett|vollständig|alle|erfolgreich|fehlerfrei|sauber|ohne|fehler"
)
_GRUEN = r"passen|durch|durchgelaufen|durchlaufen|bestanden|bestehen|grün|erfolgreich|fehlerfrei"
_ALLE = _chain(
    r"(?<!\w)(?:alle|sämtliche)(?:[ ](?:meine|unsere))?"
    r"(?:[ ](?:(?P<count>\d{1,6})|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn))?[ ](?:tests|testfälle)",
    _LAUFEN,
    _GRUEN,
)
_JEDER = _chain(r"(?<!\w)jeder(?:[ ]einzelne)?[ ]test", _LAUFEN + "|besteht", _GRUEN + "|besteht")
_DIE = _chain(r"(?:(?:die[ ])?tests|die[ ](?:(?:ganze|gesamte|komplette)[ ])?(?:test-?)?suite)", _LAUFEN, _GRUEN)
_GERMAN = Language(
    claim=_of(
        rf"""(?P<words>{_ALLE}) | (?P<each>{_JEDER}) | (?:\A|[^\w\s'-]\s*|\b(?:und|dass)\s+)(?P<bare>{_DIE})
        | (?P<turned>(?<!\w)bestehen[ ](?:(?:{_LAUFEN})[ ]){{0,3}}(?:alle|sämtliche|die)[ ](?:\d+[ ])?tests(?!\w))
        | (?P<share>(?<![\w./])(?P<some>\d{{1,6}})[ ]von[ ](?P<of>\d{{1,6}})[ ]tests(?:[ ](?:{_LAUFEN})){{0,4}}[ ]
            (?:{_GRUEN})(?!\w))
        | (?P<none>(?<!\w)(?:kein(?:er[ ]der)?[ ]tests?[ ]schlägt[ ](?:mehr[ ])?fehl|keine[ ]fehlschlagenden[ ]tests
            |es[ ]schlägt[ ]kein[ ]test[ ](?:mehr[ ])?fehl)(?!\w))"""
    ),
    passes=_of(rf"[^.;:!?\n]{{0,60}}?(?<!\w)(?:{_GRUEN}|besteht)(?!\w)"),
    doubt=_of(
        r"""(?<!\w)(?:soll\w*|würd\w*|könn\w*|müss\w*|werden|wird|damit(?=\s*\Z)|ob|um
            |nicht|kein\w*|fast|beinahe|vermutlich
        |wahrscheinlich|hoffentlich|ohne|vor|ziel|erwarte\w*|einige|manche|nur|noch
        |vorher|zuvor|vorhin|gestern|früher|ursprünglich|laut|angeblich)(?!\w)"""
    ),
    condition=_of(
        rf"""{_LABEL}|(?<!\w)(?:ziel|vorgabe|wenn|falls|sobald|bis|bevor|sofern|solange)(?!\w)|(?:\A|[,;:]\s*)(?:auf|unter|in
            |im|für|mit|bei
            |ohne|vor)\b[^,;:]*,?\s*\Z"""
    ),
    goes_on=_of(
        r"""(?:\s+(?:jetzt|nun|wieder|alle|auch|hier|lokal))*\s*(?:\Z|[^\w\s]|(?:und|sowie|ohne[ ]fehler)(?!\w))"""
    ),
    exception=_of(
        r"""(?<!\w)(?:au(?:ß|ss)er|bis[ ]auf|abgesehen|ausgenommen|aber|jedoch|allerdings|obwohl|nur|nicht|noch|ohne
            |teils|zum[ ]teil|überwiegend|mindestens
            |fehl\w*|rot|wenn|sobald|falls|bevor)(?!\w)"""
    ),
    open=_of(
        r"""(?<!\w)(?:fehlschl\w+|fehlgeschlagen|schl[aä]g\w*|scheiter\w*|rot|kaputt|au(?:ß|ss)er|bis[ ]auf|abgesehen
            |ausgenommen|offen|übrig|nicht[ ](?:alle|getestet|geprüft|fertig|gelaufen|angefasst|behoben|durch)
        |noch[ ](?:nicht|nie|zwei|drei|eine?r?|\d+|zu|fehl\w*|rot)|leider|unvollständig|übersprungen|teilweise|fehlt
            |fehlen|hängt)(?!\w)|[❌✗✘🔴]"""
    ),
    settled=_of(
        r"""(?<!\w)(?:behoben|repariert|korrigiert|gefixt|gelöst|beseitigt|nicht[ ]mehr|kein\w*|nichts|war|waren
            |hatten?|weg|zuvor|vorher)(?!\w)"""
    ),
)  # fmt: skip

_FRENCH = Language(
    claim=_of(
        r"""(?P<words>(?<!\w)(?:tous[ ])?les[ ](?:(?P<count>\d{1,6})[ ])?tests[ ](?:(?:maintenant|désormais|sont|ont
            |au|à[ ]nouveau|tous)[ ]){0,3}
        (?:passent|passés|réussissent|réussi|verts?)(?!\w))"""
    ),
    passes=_of(r"[^.;:!?\n]{0,60}?(?<!\w)(?:passent?|réussi\w*|verts?)(?!\w)"),
    doubt=_of(
        r"""(?<!\w)(?:devraient|devrait|doivent|pourraient|que[ ]si|pour[ ]que|si|pas|aucun|presque|certains|sans
            |avant)(?!\w)|n'"""
    ),
    condition=_of(
        r"""(?<!\w)(?:quand|lorsque|si|une[ ]fois|dès|avant|jusqu\w*)(?!\w)|(?:\A|[,;:]\s*)(?:sur|avec|dans|pour
            |sous)\b[^,;:]*,?\s*\Z"""
    ),
    goes_on=_of(r"\s*(?:\Z|[^\w\s]|(?:et|maintenant|désormais|à[ ]nouveau|aussi)(?!\w))"),
    exception=_of(r"(?<!\w)(?:sauf|excepté|hormis|mais|à[ ]part|si|quand|échou\w*|échec\w*|pas|seulement)(?!\w)"),
    open=_of(
        r"""(?<!\w)(?:sauf|excepté|hormis|à[ ]part|échou\w*|échec\w*|rouges?|ne[ ]passe\w*|pas[ ](?:encore|tous|pu
            |touché)|encore|reste(?:nt)?|manque\w*|cassée?s?)(?!\w)|[❌✗✘🔴]"""
    ),
    settled=_of(r"(?<!\w)(?:corrigée?s?|réparée?s?|résolue?s?|réglée?s?|plus|aucun\w*|était|étaient)(?!\w)"),
)  # fmt: skip
_SPANISH = Language(
    claim=_of(
        r"""(?P<words>(?<!\w)(?:tod[oa]s[ ])?(?:los|las)[ ](?:(?P<count>\d{1,6})[ ])?(?:tests|pruebas)[ ](?:(?:ahora
            |ya|están?|son|en|han|de[ ]nuevo|tod[oa]s)[ ]){0,3}
        (?:pasan|pasaron|pasado|pasando|verde|exitos[oa]s)(?!\w))"""
    ),
    passes=_of(r"[^.;:!?\n]{0,60}?(?<!\w)(?:pasan?|pasó|pasaron|verde)(?!\w)"),
    doubt=_of(
        r"""(?<!\w)(?:deberían?|deben|podrían?|que[ ]si|para[ ]que|si|no|ningun[oa]?|casi|algun[oa]s|sin|antes)
            (?!\w)"""
    ),
    condition=_of(
        r"""(?<!\w)(?:cuando|si|una[ ]vez|hasta|antes)(?!\w)|(?:\A|[,;:]\s*)(?:en|con|para|bajo)\b[^,;:]*,?\s*\Z"""
    ),
    goes_on=_of(r"\s*(?:\Z|[^\w\s]|(?:y|ahora|ya|de[ ]nuevo|también)(?!\w))"),
    exception=_of(r"(?<!\w)(?:excepto|salvo|menos|pero|aunque|si|cuando|fall\w*|no|solo|sólo)(?!\w)"),
    open=_of(
        r"""(?<!\w)(?:excepto|salvo|menos|fall\w*|roj[oa]s?|no[ ](?:pasan?|funciona\w*|pude|todos|todas)|todavía|aún
            |quedan?|faltan?|rot[oa]s?)(?!\w)|[❌✗✘🔴]"""
    ),
    settled=_of(r"(?<!\w)(?:corregid\w+|arreglad\w+|resuelt\w+|solucionad\w+|ya[ ]no|ningun\w*|estaban?)(?!\w)"),
)  # fmt: skip

LANGUAGES = (_ENGLISH, _GERMAN, _FRENCH, _SPANISH)

QUOTED = regex(
    r"```.*?(?:```|\Z)|(?m:^>.*$|^[ \t]*(?:[-*+][ ])?(?:\[ \]|[☐□])[ ].*$)|\"[^\"\n]{1,300}\""
    r"|(?<!\w)'[^'\n]{1,300}'(?!\w)|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»",
    re.DOTALL,
)
"""What the message repeats, and does not say itself, and boxes that are not ticked."""
SENTENCE = regex(r"[^\n]+?(?:[.!?。](?=\s|\Z)|(?=\n)|\Z)")
STILL = regex(
    r"(?<!\w)(?:still|remain\w*|(?<!nothing )(?<!nothing is )(?<!else is )left"
    r"|except\w*|besides|but|noch|au(?:ß|ss)er|encore|sauf|todavía|salvo)(?!\w)",
    re.IGNORECASE,
)
"""What is so now, whatever else of the sentence is past."""
NAME_OF_A_TEST = regex(r"(?<!\w)(?:test_\w+|\w+_test|Test[A-Z]\w+|[A-Z]\w+Test)(?!\w)")
MADE = regex(
    r"(?<!\w)(?:add\w*|wrote|writ\w+|updat\w+|adapt\w*|renam\w+|mov\w+|fix\w*|repair\w*|ergänz\w+|angepasst|repariert\w*)(?!\w)",
    re.IGNORECASE,
)
"""Something was done to a test that is named: that says nothing of how it fares."""
