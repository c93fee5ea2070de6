#!/usr/bin/env bash
# Makes the outputs beside this file by running real test runners and checkers on tiny projects.
#
# For a person to run, not for CI. Needs (see README.md for the versions used): pytest with xdist, ruff, mypy, flake8,
# pylint and django in $PY; jest, vitest, mocha, typescript, pyright and eslint in $JS/node_modules; node, cargo, go,
# cmake, gcc, perl, rspec, ruby-minitest, phpunit, javac, elixir, mvn with Debian's offline repository.
# A program that is missing is skipped, and its old output stays.
#
#   PY=/tmp/runners/py/venv/bin JS=/tmp/runners/js ./make.sh [name of a section…]
set -u
HERE=$(cd "$(dirname "$0")" && pwd)
PY=${PY:-/tmp/runners/py/venv/bin}
JS=${JS:-/tmp/runners/js}
WORK=${WORK:-/tmp/runners/work}
BIN=$JS/node_modules/.bin
PATH="$PATH:$HOME/.cargo/bin"
export NO_COLOR=1 PYTHONDONTWRITEBYTECODE=1 RUST_BACKTRACE=0
mkdir -p "$WORK"

# keep RUNNER/CASE COMMAND…: run it in the current folder and keep what it prints.
keep() {
    local file="$HERE/$1.txt"; shift
    command -v "$1" >/dev/null || { echo "skipped: $1 is missing" >&2; return; }
    mkdir -p "$(dirname "$file")"
    "$@" 2>&1 </dev/null | sed -e "s#$WORK/[a-z]*#/project#g" -e "s#$JS#/project#g" -e "s#$PY#/bin#g" >"$file"
    [ "$(wc -c <"$file")" -le 6144 ] || echo "too long: $file" >&2
}
fresh() { rm -rf "${WORK:?}/$1"; mkdir -p "$WORK/$1"; cd "$WORK/$1"; }

make_pytest() {
    fresh pytest
    cat >test_good.py <<'E'
import pytest

def test_one(): assert 1 + 1 == 2

def test_two(): print("3 failed, 9 passed")

@pytest.mark.skip(reason="later")
def test_later(): pass
E
    cat >test_bad.py <<'E'
import random, time
import pytest

class TestSum:
    def test_small(self): assert 1 + 1 == 3

@pytest.mark.parametrize("text", ["a b", "c - d"])
def test_words(text): assert text.split() == time.time()

@pytest.fixture
def broken(): raise RuntimeError("no database")

def test_needs(broken): pass

@pytest.mark.xfail
def test_known(): assert False
E
    keep pytest/pass "$PY/pytest" -p no:cacheprovider test_good.py
    keep pytest/pass_quiet "$PY/pytest" -p no:cacheprovider -q test_good.py
    keep pytest/mixed "$PY/pytest" -p no:cacheprovider
    keep pytest/mixed_again "$PY/pytest" -p no:cacheprovider
    keep pytest/mixed_quiet "$PY/pytest" -p no:cacheprovider -q
    keep pytest/mixed_quieter "$PY/pytest" -p no:cacheprovider -qq
    keep pytest/mixed_verbose "$PY/pytest" -p no:cacheprovider -v --tb=short
    keep pytest/mixed_verbose_no_summary "$PY/pytest" -p no:cacheprovider -v --tb=short -r N
    keep pytest/mixed_no_summary "$PY/pytest" -p no:cacheprovider --tb=line -r N
    keep pytest/mixed_all_reasons "$PY/pytest" -p no:cacheprovider -rA --tb=no
    keep pytest/mixed_xdist "$PY/pytest" -p no:cacheprovider -n 2 --tb=no
    keep pytest/mixed_xdist_verbose "$PY/pytest" -p no:cacheprovider -n 2 -v --tb=no
    keep pytest/mixed_colour "$PY/pytest" -p no:cacheprovider --color=yes --tb=line
    keep pytest/stop_at_first "$PY/pytest" -p no:cacheprovider -x --tb=short
    keep pytest/none_ran "$PY/pytest" -p no:cacheprovider -k nothing
    keep pytest/no_such_test "$PY/pytest" -p no:cacheprovider test_good.py::test_missing
    keep pytest/collect_only "$PY/pytest" -p no:cacheprovider --collect-only -q
    printf 'import warnings\n\ndef test_old(): warnings.warn("old")\n' >test_warns.py
    keep pytest/warnings "$PY/pytest" -p no:cacheprovider test_warns.py test_good.py
    keep pytest/warnings_quiet "$PY/pytest" -p no:cacheprovider -q --tb=no test_warns.py test_bad.py
    rm test_warns.py
    echo "import nowhere_to_be_found" >test_gone.py
    keep pytest/collection_error "$PY/pytest" -p no:cacheprovider
    keep pytest/collection_error_quiet "$PY/pytest" -p no:cacheprovider -q --continue-on-collection-errors --tb=short
}

make_unittest() {
    fresh unittest
    cat >test_good.py <<'E'
import unittest

class Good(unittest.TestCase):
    def test_one(self): self.assertEqual(1, 1)
    @unittest.skip("later")
    def test_later(self): pass
E
    cat >test_bad.py <<'E'
import unittest

class Bad(unittest.TestCase):
    def test_sum(self):
        """Sums are sums."""
        self.assertEqual(3, 1 + 1)
    def test_error(self): raise RuntimeError("broken")
    def test_parts(self):
        for part in (1, 2):
            with self.subTest(part=part): self.assertEqual(part, 0)
    @unittest.expectedFailure
    def test_known(self): self.fail()
E
    keep unittest/pass python3 -m unittest test_good
    keep unittest/mixed python3 -m unittest
    keep unittest/mixed_again python3 -m unittest
    keep unittest/mixed_verbose python3 -m unittest -v
    keep unittest/import_error python3 -m unittest test_missing
    mkdir empty && (cd empty && keep unittest/none python3 -m unittest)
}

make_django() {
    fresh django
    "$PY/django-admin" startproject site_ . && "$PY/python" manage.py startapp shop
    sed -i "s/INSTALLED_APPS = \[/INSTALLED_APPS = [\"shop\",/" site_/settings.py
    cat >shop/tests.py <<'E'
from django.test import TestCase

class ShopTests(TestCase):
    def test_sum(self): self.assertEqual(3, 1 + 1)
    def test_fine(self): pass
E
    keep django/mixed "$PY/python" manage.py test
}

make_jest() {
    fresh jest
    ln -s "$JS/node_modules" node_modules; echo '{"name": "p"}' >package.json
    cat >good.test.js <<'E'
test('adds', () => expect(1 + 1).toBe(2));
test.skip('later', () => {});
test.todo('write more');
E
    keep jest/pass "$BIN/jest"
    keep jest/pass_verbose "$BIN/jest" --verbose
    cat >bad.test.js <<'E'
describe('sum', () => {
  test('small numbers', () => expect(1 + 1).toBe(3));
  test('fine', () => {});
  describe('large', () => { test('throws (12 ms)', () => { throw new Error('broken'); }); });
});
E
    keep jest/mixed "$BIN/jest"
    keep jest/mixed_again "$BIN/jest"
    keep jest/mixed_verbose "$BIN/jest" --verbose
    echo "throw new Error('no module');" >broken.test.js
    keep jest/suite_fails "$BIN/jest"
    keep jest/only_suite_fails "$BIN/jest" broken
    keep jest/none "$BIN/jest" nothing_like_this
}

make_vitest() {
    fresh vitest
    ln -s "$JS/node_modules" node_modules; echo '{"name": "p", "type": "module"}' >package.json
    cat >good.test.js <<'E'
import { test, expect } from 'vitest';
test('adds', () => expect(1 + 1).toBe(2));
test.skip('later', () => {});
E
    keep vitest/pass "$BIN/vitest" run
    cat >bad.test.js <<'E'
import { describe, test, expect } from 'vitest';
describe('sum', () => {
  test('small numbers', () => expect(1 + 1).toBe(3));
  test('fine', () => {});
  describe('large', () => { test('throws', async () => { await new Promise(r => setTimeout(r, 350)); throw new Error('broken'); }); });
});
E
    keep vitest/mixed "$BIN/vitest" run
    keep vitest/mixed_again "$BIN/vitest" run
    keep vitest/mixed_verbose "$BIN/vitest" run --reporter=verbose
    echo "import './nowhere.js';" >broken.test.js
    keep vitest/suite_fails "$BIN/vitest" run broken
    keep vitest/none "$BIN/vitest" run nothing_like_this
}

make_mocha() {
    fresh mocha
    ln -s "$JS/node_modules" node_modules; mkdir test
    cat >test/good.js <<'E'
it('adds', () => {});
it('later');
E
    keep mocha/pass "$BIN/mocha"
    cat >test/bad.js <<'E'
const assert = require('assert');
describe('sum', () => {
  it('small numbers', () => assert.equal(1 + 1, 3));
  it('fine', () => {});
  describe('large', () => { it('is slow', done => setTimeout(done, 90)); it('throws', () => { throw new Error('broken'); }); });
});
E
    keep mocha/mixed "$BIN/mocha"
    keep mocha/mixed_again "$BIN/mocha"
    keep mocha/mixed_dot "$BIN/mocha" --reporter dot
    keep mocha/mixed_tap "$BIN/mocha" --reporter tap
    mkdir broken; echo "require('./nowhere');" >broken/a.js
    keep mocha/load_error "$BIN/mocha" broken
}

make_node() {
    fresh node
    cat >good.test.js <<'E'
const { test } = require('node:test');
test('adds', () => {});
test('later', { skip: true }, () => {});
E
    keep node/pass node --test --test-reporter=spec
    cat >bad.test.js <<'E'
const { test, describe, it } = require('node:test');
const assert = require('node:assert');
test('small numbers', () => assert.strictEqual(1 + 1, 3));
describe('large', () => { it('throws', () => { throw new Error('broken'); }); it('fine', () => {}); });
test('unfinished', { todo: true }, () => {});
E
    keep node/mixed_spec node --test --test-reporter=spec
    keep node/mixed_spec_again node --test --test-reporter=spec
    keep node/mixed_tap node --test --test-reporter=tap
    keep node/mixed_dot node --test --test-reporter=dot
    echo "const x = ;" >broken.test.js
    keep node/file_fails node --test --test-reporter=spec broken.test.js
}

make_cargo() {
    fresh cargo
    cargo init -q --lib --name parts . ; mkdir -p tests
    cat >src/lib.rs <<'E'
/// Adds.
/// ```
/// assert_eq!(parts::add(1, 1), 2);
/// ```
pub fn add(a: u32, b: u32) -> u32 { a + b }
#[cfg(test)]
mod tests {
    use super::*;
    #[test] fn adds() { assert_eq!(add(1, 1), 2); }
    #[test] #[ignore] fn later() {}
}
E
    cat >tests/outside.rs <<'E'
#[test] fn fine() {}
E
    cargo build -q --tests
    keep cargo/pass cargo test
    keep cargo/pass_quiet cargo test -q
    cat >>tests/outside.rs <<'E'
mod sum {
    #[test] fn small() { assert_eq!(1 + 1, 3); }
    #[test] fn large() { panic!("broken"); }
}
E
    cargo build -q --tests
    keep cargo/mixed cargo test
    keep cargo/mixed_again cargo test
    keep cargo/mixed_no_fail_fast cargo test --no-fail-fast
    keep cargo/mixed_quiet cargo test -q
    echo 'fn broken() -> u32 { "text" } fn other() { nothing(); }' >>tests/outside.rs
    keep cargo/compile_error cargo test
    echo 'pub fn broken() -> u32 { let unused = 1; "text" }' >>src/lib.rs
    keep rustc/cargo_build cargo build
    printf 'fn main() { let x: u32 = "text"; let unused = 1; nothing(); }\n' >one.rs
    keep rustc/rustc rustc --crate-type bin one.rs
    printf 'fn main() { let unused = 1; }\n' >two.rs
    keep rustc/warning rustc --crate-type bin two.rs
    printf 'pub fn fine() { let unused = 1; }\n' >src/lib.rs
    keep rustc/cargo_warning cargo build
}

make_go() {
    fresh go
    printf 'module example.org/parts\n\ngo 1.19\n' >go.mod
    mkdir -p good bad broken empty
    printf 'package empty\n' >empty/empty.go
    cat >good/good_test.go <<'E'
package good
import "testing"
func TestAdds(t *testing.T) {}
func TestLater(t *testing.T) { t.Skip("later") }
E
    cat >bad/bad_test.go <<'E'
package bad
import "testing"
func TestFine(t *testing.T) {}
func TestSum(t *testing.T) {
	t.Run("small numbers", func(t *testing.T) { t.Errorf("got %d, want %d", 2, 3) })
	t.Run("large", func(t *testing.T) {})
}
func TestPlain(t *testing.T) { t.Fatal("broken") }
E
    export GOFLAGS=-count=1 GOPROXY=off
    keep go/pass go test ./good
    keep go/pass_verbose go test -v ./good
    keep go/pass_all go test ./good ./empty
    keep go/mixed go test ./good ./bad ./empty
    keep go/mixed_again go test ./good ./bad ./empty
    keep go/mixed_verbose go test -v ./good ./bad
    keep go/mixed_json go test -json ./good ./bad
    printf 'package broken\nfunc TestX(t *testing.T) { nothing() }\n' >broken/broken_test.go
    keep go/build_fails go test ./good ./broken
    cat >bad/bad_test.go <<'E'
package bad
import "testing"
func TestFine(t *testing.T) {}
func TestPanics(t *testing.T) { panic("broken") }
E
    keep go/panic go test ./bad
    printf 'package broken\nfunc one() int { return "text" }\nfunc two() { nothing() }\n' >broken/broken.go
    keep gobuild/errors go build ./broken
    printf 'package broken\nimport "fmt"\nfunc one() { fmt.Printf("%%d", "text") }\n' >broken/broken.go; rm broken/broken_test.go
    keep gobuild/vet go vet ./broken
}

make_ctest() {
    fresh ctest
    cat >CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.19)
project(parts NONE)
enable_testing()
add_test(NAME adds COMMAND true)
add_test(NAME "small numbers" COMMAND false)
add_test(NAME slow COMMAND sleep 5)
set_tests_properties(slow PROPERTIES TIMEOUT 1)
add_test(NAME gone COMMAND nowhere_to_be_found)
add_test(NAME later COMMAND sh -c "exit 77")
set_tests_properties(later PROPERTIES SKIP_RETURN_CODE 77)
E
    cmake -S . -B build >/dev/null; cd build
    keep ctest/pass ctest -R adds
    keep ctest/mixed ctest
    keep ctest/mixed_again ctest --schedule-random
    keep ctest/mixed_shown ctest --output-on-failure
    keep ctest/none ctest -R nothing
}

make_tap() {
    fresh tap
    mkdir t
    cat >t/good.t <<'E'
use Test::More tests => 3;
ok(1, 'adds');
SKIP: { skip 'later', 1; }
TODO: { local $TODO = 'unfinished'; ok(0, 'known'); }
E
    cat >t/bad.t <<'E'
use Test::More;
is(1 + 1, 3, 'small numbers');
ok(1, 'fine');
ok(0);
done_testing;
E
    keep tap/pass perl t/good.t
    keep tap/mixed perl t/bad.t
    keep tap/prove_pass prove t/good.t
    keep tap/prove_mixed prove
    keep tap/prove_mixed_again prove
    keep tap/prove_verbose prove -v
    echo 'use Nowhere::ToBeFound;' >t/broken.t
    keep tap/prove_broken prove
}

make_rspec() {
    fresh rspec
    mkdir spec
    cat >spec/good_spec.rb <<'E'
RSpec.describe 'good' do
  it('adds') { expect(1 + 1).to eq 2 }
  it('later')
end
E
    keep rspec/pass rspec
    cat >spec/bad_spec.rb <<'E'
RSpec.describe 'sum' do
  it('small numbers') { expect(1 + 1).to eq 3 }
  it('fine') {}
  context('large') { it('throws') { raise 'broken' } }
end
E
    keep rspec/mixed rspec
    keep rspec/mixed_again rspec --order rand
    keep rspec/mixed_documented rspec --format documentation
    echo 'require "nowhere_to_be_found"' >spec/broken_spec.rb
    keep rspec/load_error rspec
}

make_minitest() {
    fresh minitest
    cat >good.rb <<'E'
require 'minitest/autorun'
class Good < Minitest::Test
  def test_adds; assert_equal 2, 1 + 1; end
  def test_later; skip 'later'; end
end
E
    keep minitest/pass ruby good.rb
    cat >bad.rb <<'E'
require 'minitest/autorun'
class Bad < Minitest::Test
  def test_small_numbers; assert_equal 3, 1 + 1; end
  def test_throws; raise 'broken'; end
  def test_fine; end
end
E
    keep minitest/mixed ruby bad.rb --seed 1
    keep minitest/mixed_again ruby bad.rb
}

make_phpunit() {
    fresh phpunit
    cat >GoodTest.php <<'E'
<?php
class GoodTest extends PHPUnit\Framework\TestCase {
    function testAdds() { $this->assertSame(2, 1 + 1); }
}
E
    keep phpunit/pass phpunit GoodTest.php
    cat >BadTest.php <<'E'
<?php
class BadTest extends PHPUnit\Framework\TestCase {
    function testSmallNumbers() { $this->assertSame(3, 1 + 1); }
    /** @dataProvider words */
    function testWords($word) { $this->assertSame('a', $word); }
    static function words() { return ['one' => ['a'], 'two' => ['b']]; }
    function testThrows() { throw new Exception('broken'); }
    function testLater() { $this->markTestSkipped('later'); }
}
E
    keep phpunit/mixed phpunit BadTest.php
    keep phpunit/mixed_again phpunit BadTest.php
    keep phpunit/mixed_documented phpunit --testdox BadTest.php
    cat >LaterTest.php <<'E'
<?php
class LaterTest extends PHPUnit\Framework\TestCase {
    function testAdds() { $this->assertSame(2, 1 + 1); }
    function testLater() { $this->markTestSkipped('later'); }
}
E
    keep phpunit/skipped phpunit LaterTest.php
}

make_exunit() {
    fresh exunit
    cat >good.exs <<'E'
ExUnit.start()
defmodule GoodTest do
  use ExUnit.Case
  test "adds" do assert 1 + 1 == 2 end
end
E
    keep exunit/pass elixir good.exs
    cat >bad.exs <<'E'
ExUnit.start(seed: String.to_integer(System.get_env("SEED", "0")))
defmodule BadTest do
  use ExUnit.Case
  test "small numbers" do assert 1 + 1 == 3 end
  test "throws" do raise "broken" end
  test "fine" do :ok end
  @tag :skip
  test "later" do :ok end
end
E
    keep exunit/mixed elixir bad.exs
    keep exunit/mixed_again env SEED=3 elixir bad.exs
}

make_python_checkers() {
    fresh checkers
    cat >bad.py <<'E'
import os
import sys

def add(a: int) -> str:
    return a + undefined

value: int = "text"
E
    echo 'value: int = 1' >good.py
    keep ruff/errors "$PY/ruff" check --no-cache bad.py
    keep ruff/concise "$PY/ruff" check --no-cache --output-format=concise bad.py
    cp bad.py fixable.py
    keep ruff/fixed "$PY/ruff" check --no-cache --fix fixable.py
    keep ruff/clean "$PY/ruff" check --no-cache good.py
    keep mypy/errors "$PY/mypy" --cache-dir=/dev/null bad.py
    keep mypy/clean "$PY/mypy" --cache-dir=/dev/null good.py
    keep flake8/errors "$PY/flake8" bad.py
    keep flake8/counted "$PY/flake8" --count bad.py
    keep pylint/errors "$PY/pylint" --persistent=n bad.py
    keep pyright/errors "$BIN/pyright" bad.py
    keep pyright/clean "$BIN/pyright" good.py
}

make_js_checkers() {
    fresh jscheckers
    ln -s "$JS/node_modules" node_modules; echo '{"name": "p"}' >package.json
    cat >eslint.config.js <<'E'
module.exports = [{ files: ["**/*.js"], rules: { "no-undef": "error", "no-unused-vars": "warn", "prefer-const": "error" } }];
E
    printf 'let value = nothing;\nlet other = 1;\n' >bad.js
    printf 'let value = 1;\nvalue += 1;\n' >warned.js
    keep eslint/errors "$BIN/eslint" bad.js warned.js
    keep eslint/warnings "$BIN/eslint" warned.js
    printf 'const a: number = "text";\nconst b: string = 1;\n' >bad.ts; printf 'export const c: number = "text";\n' >worse.ts
    keep tsc/errors "$BIN/tsc" --noEmit bad.ts worse.ts
    keep tsc/pretty "$BIN/tsc" --noEmit --pretty bad.ts worse.ts
    keep tsc/pretty_one "$BIN/tsc" --noEmit --pretty worse.ts
}

make_compilers() {
    fresh compilers
    printf 'int main(void) { int unused; nothing(); return text; }\nint other(void) { return more; }\n' >bad.c
    printf 'int main(void) { int unused; return 0; }\n' >warned.c
    printf 'int main() { return nothing; }\n' >bad.cpp
    printf 'class Bad { int one() { return "text"; } void two() { nothing(); } }\n' >Bad.java
    printf 'class One { int one() { return "text"; } }\n' >One.java
    keep gcc/errors gcc -Wall -Wno-implicit-function-declaration -c bad.c
    keep gcc/warnings gcc -Wall -c warned.c
    keep gcc/cpp g++ -c bad.cpp
    keep clang/errors clang -Wall -c bad.c
    keep clang/warnings clang -Wall -c warned.c
    printf 'all: bad.o\nbad.o: bad.c\n\tgcc -Wall -c bad.c\n' >Makefile
    keep gcc/make make
    keep javac/errors javac Bad.java
    keep javac/one javac One.java
}

make_maven() {
    fresh maven
    mkdir -p src/test/java
    cat >pom.xml <<'E'
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>parts</groupId><artifactId>parts</artifactId><version>1</version>
<properties><maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<build><plugins>
<plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.0</version></plugin>
<plugin><artifactId>maven-compiler-plugin</artifactId><version>3.10.1</version></plugin>
<plugin><artifactId>maven-surefire-plugin</artifactId><version>2.22.3</version></plugin>
</plugins></build>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope></dependency></dependencies>
</project>
E
    cat >src/test/java/GoodTest.java <<'E'
import org.junit.*;
public class GoodTest { @Test public void adds() {} @Ignore @Test public void later() {} }
E
    local mvn="mvn -o -B -ntp -Dstyle.color=never -Dmaven.repo.local=/usr/share/maven-repo"
    keep maven/pass $mvn test
    cat >src/test/java/BadTest.java <<'E'
import org.junit.*;
public class BadTest {
  @Test public void smallNumbers() { Assert.assertEquals(3, 1 + 1); }
  @Test public void throwsError() { throw new RuntimeException("broken"); }
  @Test public void fine() {}
}
E
    keep maven/mixed $mvn -DtrimStackTrace=true test
    keep maven/mixed_again $mvn -DtrimStackTrace=true test
    echo 'class Broken { int one() { return "text"; } }' >src/test/java/Broken.java
    keep maven/compile_error $mvn test
}

all="pytest unittest django jest vitest mocha node cargo go ctest tap rspec minitest phpunit exunit python_checkers js_checkers compilers maven"
for section in ${*:-$all}; do echo "== $section" >&2; "make_$section"; done
