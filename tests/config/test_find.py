import pytest

from headway import SettingsError
from headway.config.find import find_settings
from headway.config.settings import SHARES
from headway.reports.settings import setting_lines

NOWHERE = {"XDG_CONFIG_HOME": "/nonexistent"}


def found(folder, *overrides, **environment):
    return find_settings(overrides, folder, {**NOWHERE, **environment})


def limit_of(settings):
    return settings.detectors["exact_cycle"]["limit"]


def test_without_any_file_there_are_only_defaults(tmp_path):
    settings, origins = found(tmp_path)
    assert ({}, {}) == (settings.detectors, origins)


def test_each_layer_overrides_the_one_below(tmp_path):
    user = tmp_path / "home" / "headway"
    user.mkdir(parents=True)
    (user / "config.toml").write_text("[detectors.exact_cycle]\nlimit = 4\n[detectors.doom_loop]\nseverity = 'low'\n")
    project = tmp_path / "project"
    project.mkdir()
    environment = {"XDG_CONFIG_HOME": str(tmp_path / "home")}

    assert 4 == limit_of(found(project, **environment).settings)
    (project / "headway.toml").write_text("detectors.exact_cycle.limit = 5\n")
    assert 5 == limit_of(found(project, **environment).settings)
    environment["HEADWAY_DETECTORS__EXACT_CYCLE__LIMIT"] = "6"
    assert 6 == limit_of(found(project, **environment).settings)
    settings, origins = found(project, "detectors.exact_cycle.limit=7", **environment)
    assert 7 == limit_of(settings)
    assert "low" == settings.detectors["doom_loop"]["severity"]
    assert {
        "detectors.exact_cycle.limit": "command line",
        "detectors.doom_loop.severity": str(user / "config.toml"),
    } == origins


def test_the_project_file_is_looked_for_upwards(tmp_path):
    (tmp_path / "headway.toml").write_text("detectors.exact_cycle.limit = 9\n")
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    assert 9 == limit_of(found(deep).settings)


def test_pyproject_counts_only_with_our_table(tmp_path):
    (tmp_path / "headway.toml").write_text("detectors.exact_cycle.limit = 9\n")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert 9 == limit_of(found(inner).settings)
    (inner / "pyproject.toml").write_text("[tool.headway.detectors.exact_cycle]\nlimit = 8\n")
    assert 8 == limit_of(found(inner).settings)


SEED_YAML = """
task_types:
  edit:
    max_exploration_iterations: 8
    force_action_after_target_read: true
    tool_budget: 15
    loop_repeat_threshold: 4
  analyze:
    max_exploration_iterations: 20
    tool_budget: 30
    loop_repeat_threshold: 5
model_overrides:
  deepseek*:
    exploration_multiplier: 1.5
    continuation_patience: 5
  claude*:
    exploration_multiplier: 1.0
    continuation_patience: 3
global:
  max_total_iterations: 50
  min_content_threshold: 150
  signature_history_size: 10
loop:
  progress_threshold: 0.15
  stuck_after: 3
"""


def test_yaml_with_the_seeds_own_keys_loads_as_it_is(tmp_path):
    """Seed 004's open question about existing files, and seed 001's configuration."""
    (tmp_path / "headway.yaml").write_text(SEED_YAML)
    settings = found(tmp_path).settings

    assert 15 == settings.task_types["edit"].tool_budget
    assert 5 == settings.model_overrides["deepseek*"].continuation_patience
    assert 50 == settings.global_.max_total_iterations
    assert (0.15, 3) == (settings.loop.progress_threshold, settings.loop.stuck_after)


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("headway.toml", "[detectors.exact_cycle]\nlimt = 4\n", r"headway\.toml: .*exact_cycle\.limt; did you mean 'limit'"),
        (
            "headway.toml",
            "[detectors.exact_cycle]\nlimit = 'x'\n",
            r"headway\.toml: detectors\.exact_cycle\.limit: Expected",
        ),
        (
            "headway.toml",
            "[task_types.edit]\ntool_buget = 4\n",
            r"headway\.toml: .*task_types\.edit.*did you mean 'tool_budget'",
        ),
        ("headway.toml", "[global]\nmax_toal_iterations = 4\n", r"did you mean 'max_total_iterations'"),
        ("headway.toml", "[policy]\nstop_after = 4\n", r"headway\.toml: unknown setting policy\.stop_after; "),
        ("headway.toml", "[policy]\ncooldown = 4\n", r"unknown setting policy\.cooldown; did you mean 'cool_down'\?"),
        ("headway.toml", '[policy]\n"\\u001b[2J" = 4\n', r"unknown setting policy\.'\\x1b\[2J'; "),
        ("headway.toml", "[global\n", r"headway\.toml: not valid TOML"),
        ("headway.yaml", "a: [1\n", r"headway\.yaml: not valid YAML"),
        ("headway.yaml", "- 1\n", r"headway\.yaml: expected a table at the top level"),
        ("headway.toml", "[global]\nmax_tokens = 0\n", r"global\.max_tokens must be more than 0"),
        ("headway.toml", "[global]\nmax_cost_usd = nan\n", r"global\.max_cost_usd must be more than 0, not nan"),
        ("headway.yaml", f"global: {{max_tokens: {10**30}}}", r"global\.max_tokens must be less than 2\*\*63"),
        ("headway.toml", "[loop]\nround_timeout = inf\n", r"loop\.round_timeout must be finite, not inf"),
        ("headway.toml", "[loop]\nround_timeout = -inf\n", r"loop\.round_timeout must be more than 0, not -inf"),
        ("headway.yaml", "detectors: {monologue: {share: .nan}}", r"detectors\.monologue\.share must be more than 0, not nan"),
        ("headway.toml", "[model_overrides.'gpt*']\nexploration_multiplier = nan\n", r"model_overrides\.gpt\*\.exploration_m"),
        ("headway.toml", "[model_overrides.'g*'.detectors.monologue]\nshare = nan\n", r"model_overrides\.g\*: detectors\.mono"),
        ("headway.toml", "[loop]\nprogress_threshold = 15\n", r"loop\.progress_threshold must be at most 1, not 15"),
        ("headway.toml", "[policy]\ntarget_quality = 90\n", r"policy\.target_quality must be at most 1, not 90"),
    ],
)  # fmt: skip
def test_an_error_names_the_file_the_key_and_the_nearest_known_one(tmp_path, name, text, named):
    (tmp_path / name).write_text(text)
    with pytest.raises(SettingsError, match=named):
        found(tmp_path)


def test_errors_of_the_environment_and_the_command_line_say_so(tmp_path):
    with pytest.raises(SettingsError, match=r"environment: .*did you mean 'exact_cycle'"):
        found(tmp_path, HEADWAY_DETECTORS__EXACT_CICLE__LIMIT="3")
    with pytest.raises(SettingsError, match=r"command line: .*no value"):
        found(tmp_path, "detectors.exact_cycle.limit")


@pytest.mark.parametrize("name", ['"gpt-4.1*"', "'gpt-4.1*'"])
def test_a_name_with_a_dot_in_it_stands_in_quotes_on_the_command_line(tmp_path, name):
    """As in TOML; `headway config` shows the key in the same way, so that it can be copied."""
    result = found(tmp_path, f"model_overrides.{name}.loop_detection=false", "policy.cool_down = 9")
    assert {"gpt-4.1*": False} == {glob: o.loop_detection for glob, o in result.settings.model_overrides.items()}
    assert 9 == result.settings.policy.cool_down

    (line,) = [line for line in setting_lines(result) if "gpt-4.1" in line.key]
    assert ('model_overrides."gpt-4.1*".loop_detection', "command line") == (line.key, line.origin)
    assert result == found(tmp_path, f"{line.key}=false", "policy.cool_down=9")


def test_quotes_may_hold_an_equals_sign_and_must_be_closed(tmp_path):
    assert {"a=b"} == found(tmp_path, 'model_overrides."a=b".loop_detection=false').settings.model_overrides.keys()
    for wrong in ('model_overrides."gpt.loop_detection=false', "a..b=1", "=1", 'x"y"=1'):
        with pytest.raises(SettingsError, match=r"command line: .* is not KEY=VALUE"):
            found(tmp_path, wrong)


def test_a_share_of_more_than_everything_is_refused_wherever_it_stands(tmp_path):
    for key in SHARES:
        with pytest.raises(SettingsError, match=rf"command line: {key} must be at most 1, not 5"):
            found(tmp_path, f"{key}=5")
        assert 1 == sum(line.value == 1 for line in setting_lines(found(tmp_path, f"{key}=1")) if line.key == key)
    with pytest.raises(SettingsError, match=r"model_overrides\.gpt: detectors\.monologue\.share must be at most 1"):
        found(tmp_path, "model_overrides.gpt.detectors.monologue.share=5")


def test_every_small_number_of_a_detector_is_a_share_or_is_known_not_to_be(tmp_path):
    """Who adds a detector with a setting between 0 and 1 says here or in SHARES which of the two it is."""
    growths = {"detectors.complexity_explosion.share", "detectors.diminishing_returns.share"}
    small = {
        line.key
        for line in setting_lines(found(tmp_path))
        if line.key.startswith("detectors.") and type(line.value) is float and line.value <= 1
    }
    assert small == growths | {key for key in SHARES if key.startswith("detectors.")}


def test_what_is_set_to_its_default_is_not_changed(tmp_path):
    given = (
        "loop.stuck_after=4",
        "policy.cool_down=9",
        "detectors.exact_cycle.limit=3",
        "task_types.edit.tool_budget=15",
    )
    lines = setting_lines(found(tmp_path, *given, "tools.Mine.kind=read"))
    assert {
        "loop.stuck_after": "command line",
        "detectors.no_progress.stuck_after": "command line",
        "detectors.stalled.rounds": "command line",
        "detectors.uncertain.mixed_rounds": "command line",
        "policy.cool_down": "command line",
        "tools.Mine.kind": "command line",
    } == {line.key: line.origin for line in lines if line.is_changed}
    assert "command line" == next(line.origin for line in lines if line.key == "detectors.exact_cycle.limit")


def test_other_variables_of_the_environment_do_not_matter(tmp_path):
    assert {} == found(tmp_path, HEADWAY="x", HEADWAY_HOME="y").origins


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e999"])
def test_no_setting_takes_a_number_that_cannot_be_compared(tmp_path, value):
    keys = [line.key for line in setting_lines(found(tmp_path))]
    assert 100 < len(keys)
    for key in keys:
        with pytest.raises(SettingsError, match=f"command line: .*{key.rpartition('.')[2]}"):
            found(tmp_path, f"{key}={value}")


def test_numbers_may_be_written_without_their_first_digit(tmp_path):
    assert 0.5 == found(tmp_path, "loop.progress_threshold=.5").settings.loop.progress_threshold


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("pyproject.toml", "[tool]\nheadway = [1]\n", "headway: expected a table, not list"),
        ("pyproject.toml", "tool = 3\n", "tool: expected a table, not int"),
        ("headway.toml", f"[policy]\nmax_nudges = {'9' * 5000}\n", "not valid TOML"),
        ("headway.yaml", f"policy: {{max_nudges: {'9' * 5000}}}\n", "not valid YAML"),
    ],
)
def test_odd_values_are_refused_in_one_line_that_names_the_file(name, content, told, tmp_path):
    (tmp_path / name).write_text(content)
    with pytest.raises(SettingsError) as raised:
        found(tmp_path)
    assert str(raised.value).startswith(f"{tmp_path / name}: {told}") and "\n" not in str(raised.value)


@pytest.mark.parametrize(("name", "text"), [
    ("headway.toml", "forward.kafka = 'evil:9092'\n"),
    ("pyproject.toml", "[tool.headway.forward]\ncontent = true\n"),
    ("headway.yaml", "forward: {kafka: 'evil:9092'}\n"),
])  # fmt: skip
def test_a_project_cannot_decide_where_events_are_sent(tmp_path, monkeypatch, name, text):
    (tmp_path / name).write_text(text)
    monkeypatch.setenv("XDG_CONFIG_HOME", "/mine")
    own = "/mine/headway/config.toml"
    with pytest.raises(SettingsError, match=f"forward is not allowed in a project's file; set it in your own, {own}"):
        found(tmp_path)


def test_the_user_decides_where_events_are_sent(tmp_path):
    (tmp_path / "headway").mkdir()
    (tmp_path / "headway" / "config.toml").write_text("[forward]\nkafka = 'own:9092'\n")
    assert "own:9092" == found(tmp_path, XDG_CONFIG_HOME=str(tmp_path)).settings.forward.kafka
    assert "other:9092" == found(tmp_path, HEADWAY_FORWARD__KAFKA="other:9092").settings.forward.kafka
    assert None is found(tmp_path).settings.forward.kafka
