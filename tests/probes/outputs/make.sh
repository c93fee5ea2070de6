#!/bin/sh
# Makes the outputs in this folder anew, by running the tools. Usage: RUNNERS=/folder/with/node_modules sh make.sh
# RUNNERS needs: npm install eslint jest jest-junit jest-ctrf-json-reporter vitest mocha pyright typescript
set -u
here=$(cd "$(dirname "$0")" && pwd)
bin=$RUNNERS/node_modules/.bin
work=$(mktemp -d)
cd "$work" || exit 1
ln -s "$RUNNERS/node_modules" node_modules
# paths of this machine do not belong into stored files
keep() { sed -e "s#$work#/project#g" -e "s#$RUNNERS#/runners#g" -e 's#hostname="[^"]*"#hostname="host"#' "$1" > "$here/$2"; }

mkdir -p js && cat > js/sum.js <<'JS'
const unused = 1;
function sum(a, b) { if (a < 0) { return 0; } return a + b; }
module.exports = sum;
JS
cat > js/sum.test.js <<'JS'
const sum = require('./sum');
describe('sum', () => {
  test('adds', () => { expect(sum(1, 2)).toBe(3); });
  test('breaks', () => { expect(sum(1, 2)).toBe(4); });
  test.skip('later', () => {});
});
JS
printf "require('./missing');\ntest('never', () => {});\n" > js/broken.test.js
echo '{"name": "project", "scripts": {"test": "jest"}}' > package.json
JEST_JUNIT_OUTPUT_FILE=$work/jest-junit.xml "$bin/jest" --ci --rootDir=js --json --outputFile=jest.json --coverage \
    --coverageReporters=lcovonly --coverageReporters=cobertura --coverageDirectory="$work/coverage" \
    --reporters=default --reporters=jest-junit --reporters=jest-ctrf-json-reporter > jest.txt 2>&1
keep jest.json jest.json; keep jest-junit.xml jest-junit.xml; keep jest.txt jest.txt
keep js/ctrf/ctrf-report.json jest.ctrf.json 2>/dev/null || keep ctrf/ctrf-report.json jest.ctrf.json
keep coverage/lcov.info jest.lcov; keep coverage/cobertura-coverage.xml istanbul-cobertura.xml

mkdir -p vi && cat > vi/sum.test.mjs <<'JS'
import { describe, expect, it } from 'vitest';
describe('sum', () => {
  it('adds', () => { expect(1 + 2).toBe(3); });
  it('breaks', () => { expect(1 + 2).toBe(4); });
  it.todo('later');
});
JS
"$bin/vitest" --run --root vi --reporter=json --reporter=junit --outputFile.json="$work/vitest.json" \
    --outputFile.junit="$work/vitest-junit.xml" > /dev/null 2>&1
keep vitest.json vitest.json; keep vitest-junit.xml vitest-junit.xml

mkdir -p mo && cat > mo/sum.js <<'JS'
const assert = require('assert');
describe('sum', () => {
  it('adds', () => assert.equal(1 + 2, 3));
  it('breaks', () => assert.equal(1 + 2, 4));
  it('later');
});
JS
"$bin/mocha" --reporter=xunit --reporter-option=output="$work/mocha.xml" mo/sum.js > /dev/null 2>&1
keep mocha.xml mocha-xunit.xml

cat > eslint.config.js <<'JS'
module.exports = [{ files: ['js/**'], rules: { 'no-unused-vars': 'warn', 'no-undef': 'error', eqeqeq: 'error' } }];
JS
printf "if (a == 1) { let b = 2; }\n" > js/lint.js; printf "let = ;\n" > js/unparsable.js
"$bin/eslint" --format=json --output-file=eslint.json js/sum.js js/lint.js js/unparsable.js; keep eslint.json eslint.json

printf 'x: int = "a"\ny: str = 1\n' > typed.py; "$bin/pyright" --outputjson typed.py > pyright.json; keep pyright.json pyright.json
printf 'const x: number = "a";\nlet y: string = 1;\n' > typed.ts
"$bin/tsc" --noEmit --pretty false typed.ts > tsc.txt; keep tsc.txt tsc.txt

mkdir -p gomod/ok gomod/broken && printf 'module example.org/project\n\ngo 1.19\n' > gomod/go.mod
cat > gomod/ok/ok_test.go <<'GO'
package ok

import "testing"

func TestAdds(t *testing.T) {}
func TestTable(t *testing.T) {
	t.Run("one", func(t *testing.T) {})
	t.Run("two", func(t *testing.T) { t.Fatal("no") })
}
func TestLater(t *testing.T) { t.Skip() }
GO
printf 'package broken\n\nimport "testing"\n\nfunc TestX(t *testing.T) { undefined() }\n' > gomod/broken/x_test.go
(cd gomod && go test -json ./... > ../go.json 2> /dev/null); keep go.json go.json

mkdir -p rs/src && printf '[package]\nname = "project"\nversion = "0.1.0"\nedition = "2021"\n' > rs/Cargo.toml
cat > rs/src/lib.rs <<'RS'
#[cfg(test)]
mod tests {
    #[test]
    fn adds() { assert_eq!(3, 1 + 2); }
    #[test]
    fn breaks() { assert_eq!(4, 1 + 2); }
    #[test]
    #[ignore]
    fn later() {}
}
RS
(cd rs && RUST_BACKTRACE=0 CARGO_TERM_COLOR=never cargo test --quiet --no-fail-fast > ../cargo.txt 2>&1); keep cargo.txt cargo.txt

printf 'import os\n' > lint.py
"${RUFF:-ruff}" check --no-cache --isolated --output-format=sarif lint.py > ruff.sarif; keep ruff.sarif ruff.sarif
rm -rf "$work"
