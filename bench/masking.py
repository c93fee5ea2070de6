"""How many secrets are masked, named and bare, and how often something else is.

    python bench/masking.py [RUNS.jsonl.gz]

Samples are made here, the same ones every time, in the shapes that the rules of gitleaks describe (its file
config/gitleaks.toml, as of 2026-11-16). None of them is a real secret: each is the beginning that its service uses, and
letters from a random generator with a fixed seed. A sample counts as masked if nothing of its secret part is left.

- named: the value stands behind a name in code, settings, JSON, YAML or on a command line, for all kinds.
- bare: the value alone in a sentence, for the kinds that can be told by their shape.

False positives are counted over the lines that tools printed in real recordings. Nobody can tell from a line whether
a value is a secret, so the lines are counted in two groups: those in which what was masked looks random (a long mixture
of letters and digits), and all others: code, prose and placeholders, but also passwords such as "test" that really are
named as passwords. The second group counts as false.
"""

import argparse
import math
import random
import string
import sys
from collections import Counter

from recorded import runs

from headway.rolling.secrets import MASK, mask

HEX, LOWER, UPPER = "0123456789abcdef", string.ascii_lowercase + string.digits, string.ascii_uppercase + string.digits
WORD, LETTERS = string.ascii_letters + string.digits, string.ascii_letters
ALPHABETS = {
    "h": HEX, "l": LOWER, "u": UPPER, "w": WORD, "a": LETTERS, "d": string.digits, "-": WORD + "-_", "b": WORD + "+/",
    "p": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", "2": string.ascii_uppercase + "234567",
}  # fmt: skip
GOALS = {"named": 0.97, "bare": 0.90, "false": 1 / 2_000}
SAMPLES = 5
"""Samples of each kind."""

# A name, and how the secret is made: `{w32}` are 32 letters and digits, and so on (see ALPHABETS).
SHAPED = """
1password-secret-key A3-{u6}-{u11}-{u5}-{u5}-{u5}|1password-service-account-token ops_eyJ{b250}|adobe p8e-{l32}
age AGE-SECRET-KEY-1{p58}|alibaba LTAI{w20}|anthropic-admin sk-ant-admin01-{-93}AA|anthropic sk-ant-api03-{-93}AA
artifactory AKCp{w69}|artifactory-reference cmVmd{w59}|authress sc_{l10}.{l5}.acc-{l20}.{-40}|aws AKIA{216}
aws-session ASIA{216}|aws-bedrock ABSK{b120}|azure {w3}8Q~{-32}|clickhouse 4b1d{w38}|clojars CLOJARS_{l60}
cloudflare-origin v1.0-{h24}-{h146}|databricks dapi{h32}|databricks-2 dapi{h32}-2|digitalocean-oauth doo_v1_{h64}
digitalocean dop_v1_{h64}|digitalocean-refresh dor_v1_{h64}|doppler dp.pt.{w43}|doppler-service dp.st.prd.{w43}
duffel duffel_live_{-43}|dynatrace dt0c01.{u24}.{u64}|easypost EZAK{w54}|easypost-test EZTK{w54}|facebook {d15}|{-30}
facebook-page EAAM{w120}|flutterwave-encryption FLWSECK_TEST-{h12}|flutterwave-public FLWPUBK_TEST-{h32}-X
flutterwave FLWSECK_TEST-{h32}-X|fly fo1_{-43}|fly-2 fm2_{b120}|frameio fio-u-{-64}|gcp AIza{-35}
google-oauth GOCSPX-{-28}|github-app ghu_{w36}|github-server ghs_{w36}|github-fine github_pat_{w82}
github-oauth gho_{w36}|github ghp_{w36}|github-refresh ghr_{w36}|gitlab-job glcbt-64_{-20}|gitlab-deploy gldt-{-20}
gitlab-flag glffct-{-20}|gitlab-feed glft-{-20}|gitlab-mail glimt-{-25}|gitlab-agent glagent-{-50}
gitlab-oauth gloas-{-64}|gitlab glpat-{-20}|gitlab-routable glpat-{-30}.{l9}|gitlab-trigger glptt-{h40}
gitlab-registration GR1348941{-20}|gitlab-runner glrt-{-20}|gitlab-runner-2 glrt-t1_{-30}.{l9}
gitlab-scim glsoat-{-20}|gitlab-session _gitlab_session={l32}|grafana eyJrIjoi{w80}|grafana-cloud glc_{b40}
grafana-service glsa_{w32}_{h8}|harness pat.{-22}.{w24}.{w20}|terraform {w14}.atlasv1.{-64}|heroku HRKU-AA{-58}
huggingface hf_{a34}|huggingface-org api_org_{a34}|infracost ico-{w32}|intra42 s-s4t2ud-{h64}
jwt eyJ{w30}.eyJ{-60}.{-43}|jwt-base64 ZXlKaGJHY2lPaU{b80}|linear lin_api_{w40}|maxmind {w6}_{w29}_mmk
teams https://acme.webhook.office.com/webhookb2/{h8}-{h4}-{h4}-{h4}-{h12}@{h8}-{h4}-{h4}-{h4}-{h12}/IncomingWebhook/{h32}
notion ntn_{d11}{w35}|npm npm_{l36}|octopus API-{u26}|openai sk-proj-{-74}T3BlbkFJ{-74}
openai-old sk-{w20}T3BlbkFJ{w20}|openshift sha256~{-43}|perplexity pplx-{w48}|planetscale pscale_tkn_{-40}
planetscale-oauth pscale_oauth_{-40}|planetscale-password pscale_pw_{-40}|postman PMAK-{h24}-{h34}|prefect pnu_{w36}
pulumi pul-{h40}|pypi pypi-AgEIcHlwaS5vcmc{-60}|readme rdme_{l70}|rubygems rubygems_{h48}|scalingo tk-us-{-48}
sendgrid SG.{-22}.{-43}|sendinblue xkeysib-{h64}-{l16}|sentry-org sntrys_eyJpYXQiO{w60}LCJyZWdpb25fdXJs{w40}_{b43}
sentry-user sntryu_{h64}|settlemint sm_aat_{w16}|settlemint-personal sm_pat_{w16}|settlemint-service sm_sat_{w16}
shippo shippo_live_{h40}|shopify shpat_{h32}|shopify-custom shpca_{h32}|shopify-private shppa_{h32}
shopify-shared shpss_{h32}|slack-app xapp-1-{u11}-{d13}-{h64}|slack-bot xoxb-{d12}-{d12}-{w24}
slack-config xoxe.xoxp-1-{u164}|slack-config-refresh xoxe-1-{u146}|slack-legacy-bot xoxb-{d11}-{w22}
slack-legacy xoxs-{d10}-{d10}-{d10}-{h10}|slack-workspace xoxa-2-{w40}|slack-user xoxp-{d12}-{d12}-{d12}-{w32}
slack-hook https://hooks.slack.com/services/T{u8}/B{u8}/{w24}|sourcegraph sgp_{h40}|square sq0atp-{-22}
square-2 EAAA{-60}|stripe sk_live_{w24}|stripe-test rk_test_{w40}|supabase sbp_{h40}|twilio SK{h32}|vault hvs.{-95}
vault-batch hvb.{-140}|vault-old s.{w24}
private-key -----BEGIN RSA PRIVATE KEY-----{b200}-----END RSA PRIVATE KEY-----|crypt $6${w16}${w86}
bcrypt $2b$12${w53}|docker dckr_pat_{-27}|bitbucket ATBB{w32}|groq gsk_{w52}|xai xai-{w80}|openrouter sk-or-v1-{h64}
tailscale tskey-auth-{w12}-{w32}|dropbox-short sl.{-135}|dropbox-long {l11}AAAAAAAAAA{-43}|mailgun key-{h32}
mailgun-public pubkey-{h32}|mailchimp {h32}-us12|mapbox pk.{l60}.{l22}|new-relic-browser NRJS-{h19}
new-relic-insert NRII-{-32}|new-relic NRAK-{u27}|plaid access-sandbox-{h8}-{h4}-{h4}-{h4}-{h12}|telegram {d9}:A{-34}
twitter-bearer AAAAAAAAAAAAAAAAAAAAAA{w90}|twitter-access {d19}-{w40}|typeform tfp_{-59}|yandex t1.{-60}.{-86}
yandex-api AQVN{-36}|lob live_{h35}|lob-public test_pub_{h31}|gocardless live_{-40}|atlassian ATATT3{-186}
dnkey dnkey-{l26}-{l52}|laravel base64:{b43}=|slack-trigger https://hooks.slack.com/triggers/{b50}
resend re_{w8}_{w24}|figma figd_{-40}|age-plugin AGE-PLUGIN-YUBIKEY-1{p40}
"""
NAMED_ONLY = """
adafruit {l32}|adobe-client {h32}|airtable {l17}|algolia {l32}|alibaba-secret {l30}|asana-secret {l32}|asana-id {d16}
atlassian-old {l20}{h4}|beamer b_{l44}|bitbucket-id {l32}|bitbucket-secret {-64}|bittrex {l32}|meraki {h40}
cloudflare {-40}|cloudflare-global {h37}|codecov {l32}|cohere {w40}|coinbase {-64}|confluent {l16}
confluent-secret {l64}|contentful {-43}|datadog {l40}|discord {h64}|discord-secret {-32}|droneci {l32}|dropbox {l15}
etsy {l24}|facebook-secret {h32}|fastly {-32}|finicity {h32}|finicity-secret {l20}|finnhub {l20}|flickr {l32}
freshbooks {l64}|freemius sk_{w29}|gitter {-40}|heroku-uuid {h8}-{h4}-{h4}-{h4}-{h12}
hubspot {h8}-{h4}-{h4}-{h4}-{h12}|intercom {-60}|jfrog {l73}|jfrog-identity {l64}|kraken {b85}|kucoin {h24}
kucoin-secret {h8}-{h4}-{h4}-{h4}-{h12}|launchdarkly {-40}|linear-secret {h32}|linkedin {l14}|linkedin-secret {l16}
mailgun-signing {h32}-{h8}-{h8}|mattermost {l26}|messagebird {l25}|netlify {-43}|new-relic-user {l64}|nytimes {-32}
okta 00{-40}|plaid-id {l24}|plaid-secret {l30}|privateai {l32}|rapidapi {-50}|sendbird {h40}|sentry-old {h64}
sidekiq {h8}:{h8}|snyk {h8}-{h4}-{h4}-{h4}-{h12}|sonar {-40}|squarespace {h8}-{h4}-{h4}-{h4}-{h12}|sumologic su{w12}
sumologic-secret {l64}|travisci {l22}|twitch {l30}|twitter-key {l25}|twitter-secret {l50}|yandex-aws YC{-38}
zendesk {l40}|generic {w20}|generic-long {w40}|basic-secret {b40}
"""
NAMED_FORMS = (
    '{name}_api_token = "{secret}"', "{NAME}_API_KEY={secret}", '"{name}Secret": "{secret}",', "{name}_token: {secret}",
    "export {NAME}_TOKEN='{secret}'", "<{name}-password>{secret}</{name}-password>", "{name} login --token {secret}",
    'setSecret("{name}_secret_key", x); {name}_secret_key := "{secret}"', 'var {name}ApiKey: string = "{secret}"',
    "curl -H 'Authorization: Bearer {secret}' https://{name}.example.com",
)  # fmt: skip
BARE_FORMS = ("the value is {secret} here", '["{secret}"]', "{secret}", "printed:\n{secret}\n", r"a\n{secret}\nb")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pack", nargs="?", help="runs.jsonl.gz; without it, examples/")
    options = parser.parse_args()
    chance = random.Random(16)
    shaped, named_only = kinds_in(SHAPED), kinds_in(NAMED_ONLY)
    named = recall("named", shaped | named_only, NAMED_FORMS, chance)
    bare = recall("bare", shaped, BARE_FORMS, chance)
    false = false_positives(options.pack)
    missed = [name for name, good in (
        ("named", named >= GOALS["named"]), ("bare", bare >= GOALS["bare"]), ("false", false <= GOALS["false"]),
    ) if not good]  # fmt: skip
    sys.exit(f"missed: {', '.join(missed)}" if missed else 0)


def kinds_in(table: str) -> dict[str, str]:
    """Names and templates. A `|` inside a template is followed by a brace, one between two kinds by a name."""
    entries = [entry for line in table.split("\n") for entry in _entries(line)]
    return dict(entry.split(" ", 1) for entry in entries)


def _entries(line: str) -> list[str]:
    parts: list[str] = []
    for part in filter(None, line.split("|")):
        if part.startswith("{") and " " not in part:
            parts[-1] += f"|{part}"
        else:
            parts.append(part)
    return parts


def recall(title: str, kinds: dict[str, str], forms: tuple[str, ...], chance: random.Random) -> float:
    """The share of samples of which nothing is left; the kinds that are not always masked are listed."""
    shares: dict[str, float] = {}
    for name, template in kinds.items():
        made = [sample(template, chance) for _ in range(SAMPLES)]
        texts = [(filled(form, word(name), text), parts) for text, parts in made for form in forms]
        shares[name] = sum(is_gone(mask(text), parts) for text, parts in texts) / len(texts)
    mean = sum(shares.values()) / len(shares)
    print(f"{title}: {len(kinds)} kinds, {SAMPLES} samples in each of {len(forms)} forms: {mean:.1%} masked"
          f"    (goal: {GOALS[title]:.0%})")  # fmt: skip
    for name, share in sorted(shares.items(), key=lambda item: item[1]):
        if share < 1:
            print(f"    {share:4.0%}  {name}")
    return mean


def filled(form: str, name: str, secret: str) -> str:
    return form.replace("{name}", name).replace("{NAME}", name.upper()).replace("{secret}", secret)


def word(name: str) -> str:
    return name.partition("-")[0].replace("1password", "onepassword")


def sample(template: str, chance: random.Random) -> tuple[str, list[str]]:
    """A secret of that shape, and the parts of it that nobody may see."""
    text, parts, rest = "", [], template
    while "{" in rest:
        before, _, rest = rest.partition("{")
        what, _, rest = rest.partition("}")
        made = "".join(chance.choices(ALPHABETS[what[0]], k=int(what[1:])))
        text += before + made
        parts += [made] if len(made) >= 8 else []
    return text + rest, parts


def is_gone(shown: str, parts: list[str]) -> bool:
    return not any(part in shown or part[-8:] in shown for part in parts)


def false_positives(pack: str | None) -> float:
    """How many lines of real output lose something that does not look random."""
    lines = wrong = right = 0
    kinds: Counter[str] = Counter()
    for _, steps in runs(pack):
        for events in steps:
            for line in (line for event in events for line in str(getattr(event, "output", "")).split("\n")):
                lines += 1
                shown = mask(line)
                if shown == line:
                    continue
                if looks_random(line, shown):
                    right += 1
                else:
                    wrong += 1
                    kinds[shown.strip()[:100]] += 1
    print(f"lines of real output: {lines:,}; in {right:,} something random was masked, in {wrong:,} something else"
          f" (1 in {lines // max(1, wrong):,})    (goal: at most 1 in {1 / GOALS['false']:,.0f})")  # fmt: skip
    for text, count in kinds.most_common(10):
        print(f"    {count:4}  {text}")
    return wrong / max(1, lines)


def looks_random(line: str, shown: str) -> bool:
    """Whether everything that was masked is long, mixed, and of high entropy."""
    taken, rest = [], line
    for part in shown.split(MASK):
        before, _, rest = rest.partition(part) if part else ("", "", rest)
        taken.append(before)
    taken.append(rest if shown.endswith(MASK) else "")
    values = [value for value in taken if value]
    return bool(values) and all(
        len(value) >= 16 and any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and entropy(value) >= 3.5
        for value in values
    )


def entropy(text: str) -> float:
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)


if __name__ == "__main__":
    main()
