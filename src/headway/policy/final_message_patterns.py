"""Patterns by which a final message is read (`final_message.py`): claims, admissions, tests, and what is neither.

They match text in lower case in which "can't" is spelled "can not". A pattern that decides much stands alone; parts of
several patterns come first.
"""

import re

from headway.rolling.lazy import regex

QUOTED = regex(r"```.*?(?:```|\Z)|`[^`\n]*`|\"[^\"\n]*\"|“[^“”\n]*”", re.DOTALL)
"""Code, names and quotations."""
CAMEL = regex(
    r"\b[Tt]est(?!(?:Case|Client|Runner|Suite|Model|App|Data|Base|Server)\b)[A-Z]\w*|\b[A-Za-z]+Test\b(?!\.\w)"
)
"""The name of a test where names have capitals: TestLogin, testLogin, LoginTest."""
SENTENCE = regex(r"(?<=[.!?])\)?\s+|\n+")
"""Where a sentence ends."""
CLAUSE = regex(
    r"[;(]\s*|\s[-–—]+\s|,? (?<!all )(?:but|however|although|though|whereas|while)\b,? ?|, (?:yet|and yet|only)\b"
)
"""Where a clause ends."""
_TROUBLE = (
    r"(?:fail(?:s|ed|ing|ures?)?|errors?|issues?|problems?|regress(?:ions?|ed)|break(?:s|ages?|ing)?|broken|bugs?"
    r"|crash(?:es|ed)?|todos?|blockers?)"
)
_HARM = (
    r"(?:hang(?:s|ing)?|tim(?:es?|ed|ing)[ ]out|errors?[ ]out|complain(?:s|ed)?|choke[sd]?|trip(?:s|ped)?"
    r"|aborts?|contradicts?|disagrees?|raises?|throws?|segfaults?|stalls?|exit(?:s|ed)?[ ]with|not[ ]hold|panics?"
    r"|blows?[ ]up|falls?[ ]over|dies?|takes?[ ]forever)"
)
"""What a test does that does not pass."""
_FEW = r"(?:[\w'/%-]+[ ]){0,4}?"
"""A few words in between: articles, adjectives, a number."""
_PARTLY = r"part(?:ial)?ly[ ](?!done|work|fix|implement|complet|finish|pass)\w+ed"
_FLAWED = (
    r"(?:fail(?:ed|ing|ure)|broken|pending|incomplete|un(?:resolved|fixed|solved|tested|verified|finished)|"
    rf"{_PARTLY})"
)
_THING = (
    r"(?!(?:tests?|suites?|builds?|checks?|cases?|assertions?|specs?|ci|jobs?|pipelines?|runs?|works?|tasks?|ones?|parts?"
    r"|steps?|code|features?|imports?|pieces?|review|approval|todos?|and|or|but|on|in|by|at|for|with|to|as|is|are|was"
    r"|after|again|now|since|because|under|too|still|due|state|behaviou?r|\w+ly|" + _TROUBLE + r")\b)[\w./-]+"
)
"""What the program deals with, not the work of the agent: the "input" of "rejects broken input"."""

REASSURANCE = regex(
    rf"""\b(?:
      (?:no|zero|0|without|free\ of|none\ of|never|not\ a\ single|not\ (?:see|find|have)\ any)\ (?:any\ )?
          {_FEW}(?:{_TROUBLE}|remain(?:s|ing)?)\b (?:\ (?:tests?|remain(?:s|ing)?|left))?
    | (?:nothing|none)\ (?:else\ |is\ |was\ |has\ |been\ |got\ |seems\ |of\ them\ |are\ )*
          (?:broken|broke|breaks|left|missing|remain(?:s|ing)?|fail(?:s|ed|ing)?|regressed)\b
    | (?:no\ longer|not|never)\ (?:been\ |be\ |even\ |currently\ |actually\ )?
          (?:fail(?:s|ed|ing)?|broken|break(?:s|ing)?|broke|crash(?:es|ed|ing)?|regress(?:ed)?|red|(?!raise|throw|not){_HARM})\b
    | not\ (?:introduce|cause|produce|create|see|find|observe|encounter|leave|show|reveal|have)d?[ ]
          (?:any|new|further|other|more)\ {_FEW}{_TROUBLE}\b
    )""",
    re.VERBOSE,
)
"""That nothing fails, although words of failure occur."""
NO_REPORT = regex(
    rf"""\b(?:
      (?:if|unless|whether|in\ case)\b.*
    | when(?:ever)?\b[^,]*
    | (?:was|were|had\ been|used\ to|kept|previously|formerly|originally|initially|earlier|once)[ ]
          (?:also\ |all\ |being\ )?(?:fail(?:ed|ing)?|broken|red|crash(?:ed|ing)?)\b(?!\ (?:because|due\ to|by)\b)
    | (?:was|were)\ not\ (?:being\ |correctly\ |properly\ )?(?:pass|work|handl|compil)\w*
    | any\ {_FEW}{_TROUBLE}\b
    | (?:without|before)\ (?:the|my|this)\ (?:fix|change|patch)\b[^,]*
    | used\ to\ (?:{_HARM}|\w+)
    | failed\ (?:before|earlier|at\ (?:first|the\ (?:start|beginning))|initially|previously|when\ i\ started)\b
    | (?:with|for|of|against|on|about|shows|displays|lists|rejects|accepts|handles|detects|skips|ignores|flags|marks
         |raises|retries|counts|hides|drops|removes|returns|keeps|records|stores|logs
         |sends|now\ \w+s)\ (?:(?:the|an?|any|all|its|their)\ )?{_FLAWED}\ {_THING}
    | {_FLAWED}-[\w-]+ | (?:the|an?|any)\ {_PARTLY}\ {_THING}
    | (?:{_FLAWED}|error|to-?do)[ -](?:banner|page|screen|view|label|icon|colou?r|dialog|toast|notice|notification|text
         |log|count(?:er)?|rate|reason|report|handler|callback|event|hook|status|badge|alert|branch|app|list|item
         |comment|note|marker|entry|entries|board|state\ of)s?\b
    | (?:fail(?:s|ed|ing|ures?)?|broken|red|crash(?:es|ed)?|errors?|issues?|to-?dos?)\b
          (?=\ (?:(?!and\b|not\b|still\b|fail)[\w'/.-]+\ ){{0,6}}
             (?:pass(?:es|ed|ing)?|green|fixed|resolved|works?|working|succeeds?|gone|addressed|corrected)\b)
    | (?P<verb>fix(?:ed|es|ing)|resolv(?:ed|es|ing)|repair(?:ed|s)|address(?:ed|es)|correct(?:ed|s)|remov(?:ed|es)
         |eliminat(?:ed|es)|solv(?:ed|es)|handl(?:ed|es|ing)|prevent(?:ed|s|ing)?|avoid(?:ed|s|ing)?|catch(?:es)?|caught
         |report(?:s|ing)|reproduc(?:ed|es)|covers?|covering|diagnosed|found|all)[ ]
         (?!that\b){_FEW}(?:{_TROUBLE}(?:\ tests?)?|remaining\ (?:{_TROUBLE}|tests?)|{_FLAWED}\ {_THING})\b
         (?!\ (?:where|when|that|which|in\ which|why)\b)
    | (?:bug|issue|problem|case|crash|reason|cause)s?[ ]
         (?:was|were|where|in\ which|why|(?:that|which)(?!\ (?:still|remain)))\b.*
    | (?:would|might|may|could|can|must|(?<!continue\ )(?<!continues\ )(?<!continued\ )to|on)\ (?:fail|break|crash)\w*
    | fail(?:ed|ing)\ (?:request|call|log-?in|job|attempt|connection|upload|download|lookup|payment|password)s?\b
    | (?:failure|error|fail)[ -](?:safe|fast|over|back|handl\w+|modes?|cases?|paths?|messages?|scenarios?|codes?|types?)
    )""",
    re.VERBOSE,
)
"""What does not report the current state: what was broken before, what was fixed, what would happen if."""
EXPLAINED = regex(
    rf"""\b(?: (?:failed|(?:was|were)\ (?:failing|broken|red))\ (?:because|due\ to|by)\b[^,]*
    | (?:caus|mak|made)\w*\ {_FEW}(?:to\ )?(?:fail|crash|break)\b)""",
    re.VERBOSE,
)
"""Why something failed: of the past if a success is reported afterwards, else an admission."""
ADMISSION = regex(
    rf"""\b(?:
      fail(?:s|ed|ing|ures?)?\b | broken | (?:is|are|still|now|stays?)\ red\b | regressed | crashes\b
    | un(?:able|resolved|fixed|solved|tested|verified|finished|fortunately)\b | part(?:ial)?ly\b
    | (?<!the\ )pending\b | sadly\b | no\ luck\b | misbehav\w+ | regrettably\b | caveats?\b
    | (?:tests?|suite|builds?|ci|pipeline|pytest|assertions?|jobs?|specs?|scenarios?)\b
         (?:\ [\w'/.-]+){{0,5}}?\ {_HARM}\b(?![^.]{{0,80}}\b(?:pass|green|fixed))
    | (?:goes|go|went|turns?|turned)\ red\b | in\ an?\ (?:bad|broken|half\S*|inconsistent|unfinished)\ state
    | (?:do|does|did|could|can|will)\ not(?=[.,!)]|$)
    | (?:what|as\ (?:far|much|many|well|best)\ as)\ (?:i|we)\ (?:could|can|was\ able)\b | as\ far\ as\ possible
    | (?:leav(?:e|ing)|left)\ {_FEW}(?:to|for|with)\ (?:you|later|another|someone|the\ next)\b | best[ -]effort
    | (?:everything|all|done|pass\w*|complete|works?)\ {_FEW}besides\b | (?:is|are|things?|only)\ missing\b
    | (?:first|second|other|one|main|easy)\ (?:half|part)\b | half[ -](?:of\ (?:the|it)|done|finished|baked)\b
    | best\ of\ my\ (?:ability|knowledge) | beyond\ (?:me|my|what)\b
    | needs?\ (?:an?\ |some\ |your\ |more\ )?(?:decision|input|attention|look|follow-?up|discussion|help|fixing)\b
    | (?:the|all)\ (?:others?|rest)\ {_FEW}(?:was|were|had|did|do|does|is|are)\ {_FEW}(?:{_TROUBLE}|red|not)\b
    | (?:is|are|remains?|still|left)\ incomplete
    | not\ able\b | r(?:an|unning)\ out\ of | gave\ up | (?:'m|am|is|are|got)\ stuck\b
    | to-?do\b | to\ be\ done\b | goes\ beyond
    | (?:mostly|almost|nearly)\ (?:all|done|complete|pass|work|there|every|fixed)
    | (?:most|some|half|majority)\ (?:of\ )?(?:the\ )?(?:[\w'-]+\ )?(?:tests|checks|assertions)\b
         (?!\ (?:\w+\ ){{0,2}}(?:slow|slowly|long|longer|a\ while|minutes|updated|renamed|rewritten|moved|faster)\b)
    | (?:for|in|on|with|handles|covers|supports)\ (?:most|nearly|almost)\b
    | (?:works?|pass(?:es|ed)?|working|fixed|done|complete)\ (?:only\ )?(?:for|in|on|with)\ (?:the\ )?
         (?:(?:some|small|many)\b|(?:happy|main|basic|common|simple|usual)\ (?:path|case|input)s?\b)
    | (?:except(?!\ \w*(?:error|exception)\b)|apart\ from|aside\ from|other\ than|all\ but|save\ for|minus
         |barring|short\ (?:of|on)|(?:very|quite|pretty|reasonably)\ close\ to)\b
    | tests?\ {_FEW}(?:skipped|omitted|ignored|disabled|left\ out|commented\ out|flaky)\b | xfail\w*
    | not\ (?:\w+ly\ )?(?:meet|reach|satisfy)\b
    | (?:none\ of\ {_FEW}|nothing\ |no\ tests?\ )(?:pass(?:es|ed)?|works?)\b
    | still\ (?:not|in\ progress|needs?|open|missing|outstanding|has|have|sees?|gets?|hits?|an?|{_TROUBLE}|wrong|to
         |requires?|present|raises?|throws?|crashing|investigating|debugging|waiting|struggling)\b
    | (?:{_TROUBLE}|tests?|works?|items?|tasks?|steps?|parts?|one|two|three|four|five|some|several|few|\d+)[ ]
         {_FEW}remains?\b(?!\ (?:green|passing|unchanged|intact|stable|the\ same|valid)\b)
    | remain(?:s|ing)?\ {_FEW}(?:{_TROUBLE}|work|items?|tasks?|steps?|to|open|unresolved|red|incomplete)\b
    | there(?:\ is|\ are|'s|\ remains?)\ (?:still\ )?{_FEW}{_TROUBLE}\b
    | (?:\d+|one|two|three|four|five|some|several|few)\ {_FEW}(?:errors?|regressions?)\b
    | (?:known|open|outstanding|remaining)\ (?:issue|problem|bug|limitation|gap|question|weakness|shortcoming)s?\b
    | (?:more|further|additional)\ (?:work|investigation|debugging)\b
    | (?:not|never)\ (?:(?:yet|all|fully|quite|been|be|currently|completely|entirely|able\ to|get|make|have|directly
         |actually|properly|tests?|the|any|every|everything|it|them|to|re-?)[ ]?){{0,4}}
         (?:done|fix(?:ed)?|complet\w*|finish\w*|work(?:s|ing)?|pass(?:es|ing)?|resolved?|implemented|solved?|succeed\w*
         |verif\w+|test(?:ed)?|run|re-?run|compile|build|green|ready|addressed|possible|feasible|available|confirm\w*
         |checked|installed|tried)\b
    | (?:i|we)(?:'m|\ am|'re|\ are|\ was|\ were|\ have|'ve)?(?:\ also|\ still)?\ (?:could|can)\ not\b
         (?!\ (?:modify|change|edit|add|touch|resist|help|be\ happier)\b)
    | (?:could|can)\ not\ (?:be\ )?(?:get|run|fix|finish|complet|resolv|verif|test|install|build|solv|make|fetch)\w*
    )""",
    re.VERBOSE,
)
"""That something fails, is missing or was not tried."""
ALREADY = regex(
    rf"""\b(?:
      (?:fail(?:s|ed|ing|ures?)?|broken|red)\ (?:[\w'-]+\ ){{0,4}}?
          (?:already|too|anyway|beforehand|regardless|upstream|on\ (?:main|master)
             |(?:before|without)\ (?:my|this|the|i))\b
    | (?:already|pre-?existing)\ {_FEW}(?:fail(?:s|ed|ing|ures?)?|broken|red)\b
    )(?![^.]{{0,80}}\b(?:pass|green|fixed|resolved|work))""",
    re.VERBOSE,
)
"""That something failed before as well: it fails still."""
MARK = regex(r"(?<!\b0 )(?<!no )[❌✗✘❎🔴⚠🚫](?![^\w\n]{0,3}0\b)")
"""Marks of failure."""
_MIDDLE = r"(?:(?!(?:with|and|an?|the|to|in|of|for|by|is|are|that|as|or|on)\b)[\w'/-]+\ )"
_NAME = r"(?<![\w./])(?:[\w./-]{1,200}::(?:\w+::)?)?(?:test_\w++|\w+_test)(?![/-]|\.\w)(?:\(\)|\[[^\]\s]{0,99}\])?"
TEST_NAME = regex(_NAME)
"""One test by its name."""
TEST = regex(
    rf"""{_NAME}(?:(?:,|,?\ and|,?\ or|\ &)\ {_NAME})*
    | \b(?:(?:the|an?|this|that|another|each|every|its|my|one|1)\ {_MIDDLE}{{0,3}}?test
          |(?:\d{{1,6}}|two|three|four|five|several|these|those|other)\ {_MIDDLE}{{0,2}}?tests)\b
      (?!-|\ (?:suites?|scripts?|files?|runs?|runner|code|cases?|cover\w*|output|data|commands?|environment|framework
          |setup|modules?|class|classes|folder|director\w+|fixtures?|helpers?|server|plan|client|results?|harness|functions?
          |methods?|session|programs?|projects?|images?|models?|query|queries|changes|contents?|apps?|bench|pages?
          |inputs?|examples?|settings|database|users?|accounts?|repo\w*|strings?|values?|names?|package|instance|table)\b)""",
    re.VERBOSE,
)
"""A test by its name, or one test, or a number of them."""
FARES_WELL = regex(
    r"(?:[^;\n]{0,80}?\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|works?|ok|fine|fast(?:er)?|fixed|success\w*|reassured|resolved|repaired)\b"
    r"|[^;\n]{0,30}?[✅✓✔]"
    r"|:?(?: (?:now|also|which|that|was|were|is|are|have|has|been|newly|just|file|in|for|the|x)\b)*"
    r" (?:added|written|updated|adapted|adjusted|created|extended|rewritten|included|renamed|moved|covers?|checks?"
    r"|covering|verif(?:y|ies)|ensures?|exercises?|reproduces?|confirms?|asserts?|prove[sd]?|guards?|demonstrates?|pins?)\b)"
)
"""After the name of a test: it passes, or it was written or describes something."""
IS_OBJECT = regex(
    r"(?:\b(?:add\w*|wrote|writ\w+|updat\w+|adapt\w*|adjust\w*|creat\w+|extend\w*|rewr\w+|chang\w+|renam\w+|mov\w+"
    r"|execut\w+|includ\w+|introduc\w+|fix\w*|repair\w*|ran|re-?ran|runs?|running|re-?run|with|by|via|using|new|remov\w+|delet\w+"
    r"|replac\w+|merg\w+|split|correct\w*|cover\w*|tests?|even|pass(?:es|ed|ing)?|satisf\w+|as|what)\b:?"
    r"(?: (?!(?:but|yet|that|left|leav\w+|not|except)\b)[\w'-]+){0,5}|[✅✓✔]) ?\Z"
)
"""Before the name of a test: something was done to it."""
GOES_ON = regex(
    r"\s*(?:[.,!?)]|:?\Z|(?:and|or|to|in|for|of|as|by|with|that|which|so|too|also|on|from|into|against|where|because|since"
    r"|again|after|before|at|under|using|covering|expects?|requires?|demands?|x|accordingly|case)\b)"
)
"""After the name of a test: the clause goes on, and says nothing of how the test fares."""
CLAIM = regex(
    r"""\b(?:
      done | finished | complete[ds]?(?!\ (?:list|example|set|guide|code|file|script)\b)
    | fixed(?![ -](?:width|size|point)) | fixes | resolve[ds] | solve[ds] | implemented | addressed
    | success(?:ful(?:ly)?)? | succeed(?:s|ed) | all\ set
    | works(?!\ on\b) | (?<!a\ )working(?!\ (?:on|directory|tree)\b) | fully\ functional | verified | reassured
    | (?:is|are|now)\ in\ place | behaves?\ (?:as|like|correctly|the\ way) | (?:been|is|are|all)\ taken\ care\ of | lgtm
    | (?:everything|all|it)\ looks\ good | looks\ good\ to\ me | all\ good
    | shipp(?:ed|ing)\ it | ship\ it | good\ to\ go | wrapped\ up | up\ and\ running | job\ well\ done
    | (?:meets?|satisf(?:y|ies))\ (?:all|every|your)\b | (?:is|are)\ (?:all\ |now\ )?(?:met|satisfied|sorted)
    | ready\ (?:for|to\ (?:submit|merge|ship|use|go|be))
    | (?:tests?|suite|everything|checks?|ci|builds?|cases?|all|both|assertions?)\b[^.]{0,40}?
         \b(?:pass(?:es|ed|ing)?|green)
    | (?:it|they|which|that|ones|now)(?:\ now|\ all|\ both)?\ pass(?:es)?(?!\ (?:the|an?|it|x)\b)
    )\b""",
    re.VERBOSE,
)
"""That the work is done, or that tests pass."""
HOPED_FOR = regex(
    r"\b(?:should|would|could|might|may|will|must|going to|let me|let us|need(?:s|ed)? to|(?:has|have) to|once|until"
    r"|before|assum(?:e|ing|ption)|ensure|how|make sure|hopefully|probably|likely|(?:seem|appear)s? to|in theory|not"
    r"|want|to (?:be|get|make|check|see|verify|confirm))\b|'ll\b"
)
"""What makes a claim a hope."""
TESTS_REMOVED = regex(
    r"\b(?:(?:remov|delet|dropp|skipp|disabl|merg|combin|renam)\w* (?:[\w'/-]+ ){0,6}?tests?"
    r"|tests? (?:[\w'/-]+ ){0,6}?(?:removed|deleted|dropped|skipped|disabled|merged|combined|renamed|gone))\b"
)
"""That tests were removed, skipped or merged."""
COUNT = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
"""Numbers as words, each at its own place."""
_NUMBER = rf"(?:\d{{1,6}}|{'|'.join(COUNT)})"
SHARE = regex(
    rf"\b(?P<done>(?:fix|pass|complet|implement|resolv|solv|finish|address|convert|migrat)\w* (?:the )?(?:first )?)?"
    rf"(?P<some>{_NUMBER}) ?(?:/|of|out of)(?: the| my| all)? ?(?P<all>{_NUMBER})\b"
    rf"(?P<right>(?: [\w'-]+){{0,4}}? (?:tests?|checks?|{_TROUBLE}|cases|pass\w*|fixed|done|green|work|works|succeed\w*"
    rf"|complete\w*|implemented|finished|resolved|solved|addressed|specs|are|is|go|goes|have|has)\b)?"
)
"""Some of several: 8 of 10 tests pass."""
