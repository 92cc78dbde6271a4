const Sequencer = require('@jest/test-sequencer').default

/** The races, the model and the faults take minutes: begun last, one of two workers would wait for them. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => path.includes('/packages/bench/test/')
    return [...super.sort(tests)].sort((a, b) => Number(isLong(b)) - Number(isLong(a)))
  }
}
