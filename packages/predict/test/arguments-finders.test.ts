import { findAll } from '../src/arguments/find/find-all.ts'
import type { Kind } from '../src/arguments/find/piece.ts'
import { promptOf } from '../src/arguments/find/prompt.ts'
import { withoutApp } from '../src/arguments/find/without-app.ts'
import { finish } from '../src/in-slices.ts'

const input = { now: new Date('2026-11-23T09:00:00Z'), timeZone: 'UTC' }

function find(text: string, ...kinds: Kind[]) {
  return finish(findAll(promptOf(text), input)).filter(({ kind }) => kinds.includes(kind))
}

function texts(text: string, ...kinds: Kind[]): string[] {
  return find(text, ...kinds).map((found) => found.text)
}

describe('findAll, for pieces with a distinctive form,', () => {
  it.each<[Kind, string, string[]]>([
    ['quoted', 'say "hello there" and “good bye”', ['hello there', 'good bye']],
    ['quoted', "the `code` of 'Angular' isn't Ada's", ['code', 'Angular']],
    ['quoted', 'my token is "abcd1234."', ['abcd1234']],
    ['quoted', 'say "Call me."', ['Call me.']],
    ['quoted', 'the club named "Cypress Point Club', ['Cypress Point Club']],
    ['quoted', '"Can you check whether it works?"', []],
    ['email', 'mail ada@example.com, bob.b+x@mail.example.org.', ['ada@example.com', 'bob.b+x@mail.example.org']],
    ['url', 'see https://example.com/a?b=c.', ['https://example.com/a?b=c']],
    ['address', 'from 192.168.1.100, or 10.0.0.0/8', ['192.168.1.100', '10.0.0.0/8']],
    ['phone', 'text +44 20 7946 0958 or 415-555-0134', ['+44 20 7946 0958', '415-555-0134']],
    ['id', 'ticket rqO5k4BwAvRL, key ABC-123', ['rqO5k4BwAvRL', 'ABC-123']],
    ['id', 'uuid 9cfb482a-81e3-4154-b5b9-2c805e70a02d', ['9cfb482a-81e3-4154-b5b9-2c805e70a02d']],
    ['id', '5km, 3pm, 21st, 8-year-old', []],
    ['file', 'save clip1.m4a to /Reports/2026', ['clip1.m4a', '/Reports/2026']],
    ['handle', 'post in #general as @ada_l', ['#general', '@ada_l']],
    ['slug', 'in acme/web', ['acme/web']],
    ['owner', 'in acme/web', ['acme']],
    ['repo', 'in acme/web', ['web']],
    ['code', 'at 52.52, 13.405', ['52.52, 13.405']],
    ['tag', 'at age {age} of {user.name}', ['{age}', '{user.name}']],
  ])('finds as %s, in "%s", %j', (kind, text, expected) => {
    expect(texts(text, kind)).toEqual(expected)
  })
})

describe('findAll, for pieces of ordinary words,', () => {
  it.each<[Kind, string, string[]]>([
    ['name', 'the score of the Golden State Warriors and the Houston Rockets', ['Golden State Warriors', 'Houston Rockets']],
    ['name', 'Find the Proof of Work consensus', ['Proof', 'Work']],
    ['given', 'add Ada Lovelace', ['Ada']],
    ['family', 'add Ada Lovelace', ['Lovelace']],
    ['phrase', 'provide the criminal judicial decisions of it', ['criminal judicial decisions']],
    ['clause', 'write saying that the build is green', ['the build is green']],
    ['clause', 'charge 20 USD for a yoga mat to cus_1', ['yoga mat']],
    ['clause', 'a ticket about the broken printer, please', ['broken printer']],
    ['country', 'laws of the United Kingdom in Japan', ['United Kingdom', 'Japan']],
    ['language', 'from English into brazilian and French', ['English', 'French']],
    ['currency', '5000 EUR or 3 dollars', ['EUR', 'dollars']],
    ['list', 'to ada@a.io, bob@b.io and cy@c.io', ['ada@a.io, bob@b.io and cy@c.io']],
  ])('finds as %s, in "%s", %j', (kind, text, expected) => {
    expect(texts(text, kind)).toEqual(expected)
  })
})

describe('findAll, for numbers,', () => {
  it.each<[string, number[]]>([
    ['a width of 44.8 and a depth of -7', [44.8, -7]],
    ['worth $12,500.50', [12_500.5]],
    ['1.5k or 2 million', [1500, 2_000_000]],
    ['60 % of it', [60]],
    ['twenty, three and a dozen', [20, 3, 12]],
    ['three interesting facts', [3]],
    ['on the 51st floor', [51]],
    ['one of a kind', []],
    ['version 192.168.1.1 of p6qfRfo8', []],
  ])('finds in "%s" the numbers %j', (text, expected) => {
    expect(find(text, 'number', 'money', 'percent').map(({ number }) => number)).toEqual(expected)
  })
})

describe('findAll, for dates and times,', () => {
  const day = { hour: 12, minute: 0, second: 0, day: true, time: false }
  it.each([
    ['on April 15, 2019', ['April 15, 2019'], { ...day, year: 2019, month: 4, date: 15 }],
    ['due Friday', ['Friday'], { ...day, year: 2026, month: 11, date: 27 }],
    ['at 09:16', ['09:16'], { year: 2026, month: 11, date: 23, hour: 9, minute: 16, second: 0, day: false, time: true, part: false }],
  ])('reads "%s" as %j', (text, said, datetime) => {
    const found = find(text, 'datetime')
    expect(found.map((one) => one.text)).toEqual(said)
    expect(found[0]?.datetime).toEqual(datetime)
  })

  it.each<[string, string[]]>([
    ['it may take a second on a sat', []],
    ['in 90 minutes', ['in 90 minutes']],
    ['a meeting, 90 minutes long', []],
  ])('finds in "%s" the dates and times %j', (text, expected) => {
    expect(texts(text, 'datetime')).toEqual(expected)
  })
})

describe('withoutApp', () => {
  function without(text: string, title: string): string {
    const app = { name: title.toLowerCase().replaceAll(' ', '-'), title }
    const bare = withoutApp(text, { app })
    expect(bare).toHaveLength(text.length)
    return bare.trim().replace(/ +/g, ' ')
  }

  it.each([
    ['GitHub', 'create an issue on GitHub titled Login', 'create an issue titled Login'],
    ['GitHub', "list my GitHub issues, and GitHub's pulls", 'list my issues, and pulls'],
    ['GitHub', 'in our GitHub account, open an issue', ', open an issue'],
    ['GitHub', 'open an issue in the GitHub repository web', 'open an issue in the repository web'],
    ['HubSpot', 'find the contact called Ada in HubSpot', 'find the contact called Ada'],
    ['Slack', 'post it on slack', 'post it'],
    ['Discord', 'make a channel called late night on discord server 55', 'make a channel called late night on server 55'],
    ['PayPal', 'new paypal order', 'new order'],
    ['Notion', 'search Notion for plans', 'search for plans'],
    ['Microsoft Teams', 'post in Teams that it works', 'post that it works'],
    ['WhatsApp Business', 'send a WhatsApp message', 'send a message'],
    ['monday.com', 'add an item named Laptops in monday.com', 'add an item named Laptops'],
  ])('removes %s from "%s"', (title, text, expected) => {
    expect(without(text, title)).toBe(expected)
  })

  it.each([
    ['GitHub', 'create an issue titled GitHub'],
    ['GitHub', 'create an issue titled GitHub integration fails'],
    ['GitHub', 'say "it is on GitHub"'],
    ['GitHub', 'send it to ada@github.com, see github.com'],
    ['GitHub', 'write about GitHub'],
    ['GitHub', 'tell them: it is on GitHub'],
    ['GitHub', 'explain to Ada the GitHub Actions'],
    ['Jira', 'put it into project Jira'],
    ['Slack', 'cut me some slack here'],
    ['Microsoft Teams', 'list all Teams'],
    ['travel', 'what I spent on travel'],
  ])('keeps %s in "%s"', (title, text) => {
    expect(without(text, title)).toBe(text)
  })
})
