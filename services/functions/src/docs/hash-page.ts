import { html } from '@onward/runtime'
import { block, docsPage } from './page.ts'

/** The language, its name in the class of the code block, and a program that prints `HASH`. A test runs each program. */
const PROGRAMS: readonly (readonly [language: string, className: string, program: string])[] = [
  [
    'Node',
    'js',
    `const { createHmac } = require('node:crypto')
console.log(createHmac('sha256', 's').update('joe@example.com').digest('hex'))`,
  ],
  [
    'Python',
    'python',
    `import hashlib, hmac
print(hmac.new(b's', 'joe@example.com'.encode(), hashlib.sha256).hexdigest())`,
  ],
  [
    'PHP',
    'php',
    `<?php
echo hash_hmac('sha256', 'joe@example.com', 's');`,
  ],
  [
    'Ruby',
    'ruby',
    `require 'openssl'
puts OpenSSL::HMAC.hexdigest('SHA256', 's', 'joe@example.com')`,
  ],
  [
    'Go',
    'go',
    `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

func main() {
	mac := hmac.New(sha256.New, []byte("s"))
	mac.Write([]byte("joe@example.com"))
	fmt.Println(hex.EncodeToString(mac.Sum(nil)))
}`,
  ],
  ['Shell, with OpenSSL', 'sh', "printf '%s' joe@example.com | openssl dgst -sha256 -hmac s -hex | sed 's/.* //'"],
]

const HASH = 'f775af9faf7b49b6f96eeb4d4643b8e857bc1c9f4fe2024a831fca9f2ec1e0f6'

/** Returns the page that helps to compute the header Hash. `root` is the path before `/docs`, usually empty. */
export function hashPage(root: string): string {
  const programs = PROGRAMS.map(([language, className, program]) => html`<h3>${language}</h3>\n${block(className, program)}`)
  return docsPage(
    root,
    'My hash does not match',
    html`<p>Each request of area A carries a <code>Hash</code>: the HMAC-SHA256 of the User-ID, with the application secret as the key, as 64
hexadecimal digits. For the secret <code>s</code> and the User-ID <code>joe@example.com</code>, it is</p>
${block('text', HASH)}
<h2>Programs that compute it</h2>
<p>Run one of these programs. If it prints something else, its input or its output differs from the above.</p>
${programs}
<h2>What is usually wrong</h2>
<dl>
<dt><code>error_details</code> has <code>Hash: must be 64 hexadecimal digits, not base64</code></dt>
<dd>The library returned base64. Ask it for hexadecimal digits.</dd>
<dt><code>error_details</code> has <code>App-Key: is missing</code>, although you send it</dt>
<dd>A proxy drops headers with an underscore, such as <code>app_key</code>. Send <code>App-Key</code>, <code>User-ID</code> and
<code>Hash</code>.</dd>
<dt><code>error_details</code> is empty</dt>
<dd>All three have the right form, but do not belong together. See the list below.</dd>
<dt>The shell prints another hash</dt>
<dd><code>echo</code> adds a line feed. Use <code>printf '%s'</code>.</dd>
<dt>The hash of the example is right, but not yours</dt>
<dd>See the list below.</dd>
</dl>
<ul>
<li>The <strong>key</strong> is the application secret, and the <strong>message</strong> is the User-ID. Swapped, they give another hash.</li>
<li>The secret is the whole text as you got it, with <code>sk_</code> at its beginning. Do not decode it.</li>
<li>The User-ID is the same text in the header and in the hash: the same capital letters, no space at its ends, encoded as UTF-8.
<code>é</code> can be one character or two; these are different ids.</li>
<li>The secret belongs to this App-Key. After <code>onward application rotate-secret</code>, the old secret works until its overlap
ends.</li>
<li>Header values are bytes. If your HTTP library refuses a User-ID with other than ASCII characters, send the credentials as the query
parameters <code>app_key</code>, <code>user_id</code> and <code>hash</code>.</li>
</ul>`,
  )
}
