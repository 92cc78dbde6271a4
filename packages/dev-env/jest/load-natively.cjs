/** A transformer for jest: a test file becomes a call of the test environment, which loads the file with Node's `require`. */
module.exports = { process: () => ({ code: 'loadNatively(__filename, jest)' }) }
