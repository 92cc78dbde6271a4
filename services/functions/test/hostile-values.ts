/** Texts that have broken services before. */
export const TEXTS: string[] = [
  ...['', ' ', '\u0000', '\ud800', '\uffff', '🙂', 'Ω'.repeat(300), 'x'.repeat(20_000)],
  ...['../../etc/passwd', '%2e%2e%2f', '%00', "' or 1=1 --", '"; drop table call_log; --', '\r\nX-Injected: 1', '<script>'],
  ...['{{', '}}', '{', '{}', '{a', '{__proto__}', '{constructor.prototype}', '{a.b.c}', '#{7*7}', '__proto__', 'constructor'],
  ...['null', 'NaN', '1e309', '-1', '9007199254740993', '{"a":1}', '[1]', 'http://169.254.169.254/', 'file:///etc/passwd'],
]

/** JSON values where another type is meant, and some of the texts. */
export const VALUES: unknown[] = [
  ...[null, true, 0, -0, 1e308, 1.5, -1],
  ...[[], {}, [[]], [null], { a: null }, { length: 5 }, [{ a: [{}] }]],
  ...TEXTS.slice(0, 10),
]
