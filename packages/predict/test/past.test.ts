import { buildPast, buildRanker, type Knowledge, type Past, type PastPrompt, pastWords, type Ranker, readKnowledge } from '../src/index.ts'
import { openRecall } from '../src/ranking/recall.ts'

const title = (name: string) => ({ name, title: name })
const fn = (app: string, name: string, description: string) => ({
  name: `${app}-${name.toLowerCase().replaceAll(' ', '-')}`,
  title: name,
  description,
  examples: [],
  app: title(app),
  parameters: { type: 'object' as const, properties: {}, required: [] },
})
const functions = [
  fn('desk', 'Create ticket', 'Opens a ticket for a customer.'),
  fn('desk', 'Close ticket', 'Closes a ticket that is solved.'),
  fn('phone', 'Send text', 'Sends a short message to a phone number.'),
  fn('notes', 'Add note', 'Adds a note.'),
  fn('maps', 'Find place', 'Finds the address of a place.'),
]

let knowledge: Knowledge
let ranker: Ranker
beforeAll(async () => {
  knowledge = await readKnowledge('packages/predict/weights')
  ranker = await buildRanker(functions, knowledge)
})

function pastOf(...prompts: readonly (readonly [prompt: string, name: string, doubt?: number])[]): Promise<Past> {
  const past: PastPrompt[] = prompts.map(([prompt, name, doubt = 0.95]) => ({ prompt: pastWords(prompt), function: name, doubt }))
  return buildPast(past, knowledge)
}

function rank(prompt: string, past?: Past) {
  const { fits, ranked } = ranker.rank(prompt, { connected: () => false, count: 5, past })
  return { fits, best: functions[ranked[0]?.number ?? -1]?.name, confidence: ranked[0]?.confidence ?? 0, ranked }
}

const BOILER = 'ring the plumber about the boiler'

describe('a prompt that is similar to a past one', () => {
  it('finds the function that was called then, with the similarity as confidence', async () => {
    const past = await pastOf([BOILER, 'phone-send-text'])
    for (const prompt of ['the plumber should know that the boiler is broken', 'the plumber must hear about the boiler']) {
      expect(rank(prompt).best).not.toBe('phone-send-text')
      const { fits, best, confidence } = rank(prompt, past)
      expect([fits, best]).toEqual([true, 'phone-send-text'])
      expect(confidence).toBeGreaterThan(0.5)
      expect(confidence).toBeLessThan(0.9)
    }
  })

  it.each(['open a ticket', 'find the address of the museum', 'zzzqqq xyzzy'])('does not change the ranking of "%s"', async (prompt) => {
    const past = await pastOf([BOILER, 'phone-send-text'])
    const [before, after] = [rank(prompt), rank(prompt, past)]
    expect([after.fits, after.best]).toEqual([before.fits, before.best])
  })

  it('supports its function more when the past prediction was less certain', async () => {
    const scores = await Promise.all(
      [0, 0.5, 1].map(async (doubt) => {
        const { evidence } = (await pastOf([BOILER, 'phone-send-text', doubt])).recall('the plumber must hear about the boiler')
        return evidence.get('phone-send-text')?.score ?? 0
      }),
    )
    const [certainty = 0, unsure = 0, missed = 0] = scores
    expect(certainty).toBeGreaterThan(0)
    expect(unsure).toBeGreaterThan(2 * certainty)
    expect(missed).toBeGreaterThan(1.5 * unsure)
  })

  it('supports the function whose prompts contain its words more often', async () => {
    const others = ['the invoice is late', 'parcels came in', 'who sings this song'].map(
      (prompt) => [prompt, 'desk-create-ticket'] as const,
    )
    const past = await pastOf(['the boiler leaks', 'phone-send-text'], ['the boiler leaks', 'desk-create-ticket'], ...others)
    const { evidence } = past.recall('a boiler is leaking')
    const [often = 0, seldom = 0] = ['phone-send-text', 'desk-create-ticket'].map((name) => evidence.get(name)?.score)
    expect(often).toBeGreaterThan(seldom + 0.5)
  })

  it('gives functions that were never called the score of the second best function', async () => {
    const past = await pastOf(['a new ticket about the boiler', 'desk-create-ticket'], ['note the boiler', 'notes-add-note'])
    const { score } = openRecall(functions)('the boiler leaks', past)
    const [created, closed, , noted] = functions.map((_, number) => score(number))
    expect(noted).toBeGreaterThan(created ?? 0)
    expect(created).toBeGreaterThan(0)
    expect(closed).toBe(created)
  })

  it('does not count as evidence that something fits when the similarity is low', async () => {
    const past = await pastOf([BOILER, 'phone-send-text'])
    const prompt = 'the boiler of the ship in the film was made by a famous engineer'
    expect(openRecall(functions)(prompt, past).score(2)).toBeGreaterThan(0)
    expect(openRecall(functions)(prompt, past).certainty(2)).toBe(0)
  })
})

describe('the confidence of the other functions', () => {
  it.each([
    ['open a ticket', 'phone-send-text'],
    ['find the address of the museum', 'notes-add-note'],
    ['add a note', 'maps-find-place'],
  ])('stays at least half when "%s" led to %s', async (prompt, name) => {
    const [before, after] = [rank(prompt), rank(prompt, await pastOf([prompt, name]))]
    const [usual] = before.ranked
    expect(after.best).toBe(name)
    expect(after.ranked.find(({ number }) => number === usual?.number)?.confidence).toBeGreaterThanOrEqual(0.5 * before.confidence)
    expect(before.confidence).toBeGreaterThan(0.1)
    const confidences = after.ranked.map(({ confidence }) => confidence)
    expect(confidences).toEqual([...confidences].sort((a, b) => b - a))
  })
})

describe('a prompt that is identical to a past one', () => {
  it('finds its function even when prompts of other functions contain its rare words', async () => {
    const rare =
      'cassandra cluster shrank tombstone compaction grafana jakarta telemetry percentiles karaoke regressions catering squad latency ' +
      'migration dashboards rotation storage garbage collection pauses wednesday retrospective celebratory backlog quarterly'
    const others = Array.from(
      { length: 500 },
      (_, i) => [`an invoice for parcel ${'abcdefghij'[i % 10]}${i}`, 'desk-close-ticket'] as const,
    )
    const past = await pastOf([`tell them: ${rare}`, 'phone-send-text', 0.1], [`and now: ${rare}`, 'notes-add-note', 1], ...others)
    expect(rank(`tell them: ${rare}`, past).best).toBe('phone-send-text')
  })

  it.each([BOILER, BOILER.toUpperCase(), `${BOILER}: "it leaks" 5`])('finds its function: %s', async (prompt) => {
    const past = await pastOf([BOILER, 'maps-find-place', 0], [`${BOILER} now`, 'phone-send-text'])
    expect(rank(prompt, past)).toMatchObject({ fits: true, best: 'maps-find-place' })
    expect(rank(prompt, past).confidence).toBeGreaterThanOrEqual(0.9)
  })

  it('finds the function that was called last when there were two', async () => {
    expect(rank(BOILER, await pastOf([BOILER, 'notes-add-note'], [BOILER, 'phone-send-text'])).best).toBe('notes-add-note')
  })

  it('has no effect when its function is no longer in the catalog', async () => {
    expect(rank(BOILER, await pastOf([BOILER, 'gone-away']))).toEqual(rank(BOILER))
  })

  it('has no effect when it contains no words', async () => {
    const past = await pastOf(['"a" 5', 'notes-add-note'])
    expect(rank('7 "b"', past)).toEqual(rank('7 "b"'))
  })

  it.each(['note “the boiler', 'note “the plumber', 'note'])('has no effect when an open quote leaves few words: %s', async (prompt) => {
    expect(rank(prompt, await pastOf(['note “a boiler leaks', 'maps-find-place']))).toEqual(rank(prompt))
  })
})

describe('pastWords', () => {
  it.each([
    ['Send "Hello Ada" to ada@example.com, at 5!', 'send to at'],
    ['open https://x.example/?token=abc or ticket AB-123', 'open or ticket'],
    ["Don't note 'my  secret' thing", 'don t note thing'],
    ['日本のチャンネルに投稿', '日本のチャンネルに投稿'],
    ['"only a value" 42', ''],
    ['"Tell Ada that she is ill"', ''],
    [`note 'the ${'very '.repeat(20)}secret thing' for Joe`, 'note for joe'],
    ["note 'I don't know Ada's secret' for Joe's team", 'note for joe s team'],
    ['note ‘don’t tell Ada’ for Joe’s team', 'note for joe s team'],
    ['post «secret one», »secret two«, „secret three“, „secret four”, “secret five” and `secret six` now', 'post and now'],
    ['投稿「秘密」と『秘密』と＂秘密＂', '投稿 と と'],
    ['mail "Hi Ada,\nthe "big" secret:\n\nbye" to Joe with the title "Ill"', 'mail to joe with the title'],
    ["mail 'Hi Ada,\n\nI'm ill' to Joe", 'mail to joe'],
    ['mail “Hi Ada,\n\nI’m ill" to Joe', 'mail to joe'],
    ['add a task with title "a secret\nbody "a longer secret', 'add a task with title'],
    ['send an email to Ada: “Dear Ada,\n\nyou are ill', 'send an email to ada'],
    ["send Ada this text: 'you are ill, aren't you", 'send ada this text'],
    ['email Ada: “Dear Ada,\n\nyou are ill', ''],
    ['send a note "Ada is ill', ''],
    ["the boys' list of the '90s isn't Apple Inc.'s: tell 'em", 'the boys list of the isn t apple inc s tell em'],
    ['a 5" pipe for “a secret” or "a “nested” secret" or "one "more" secret"', 'a pipe for or or'],
    ["note this.'a secret' today", 'note this today'],
    ["send the Q3 '25 and Q4 ’26 reports to Bob", 'send the and reports to bob'],
    ["add for Bob, please, '250 secrets", 'add for bob please'],
    ['שלח מייל אל מנכ"ל החברה', 'שלח מייל אל מנכ ל החברה'],
    ['שלח ל"דנה כהן" היום', 'שלח ל היום'],
    ['写"秘密"给“秘密”和‘秘密’吧', '写 给 和 吧'],
    ['please add a note "order the 24" monitor for Ada Miller" today', 'please add a note'],
    ['an issue that is titled "Fix 5" pipe 6" long" in repo', 'an issue that is titled'],
    ['send Joe a note «secret one» secret two» now', 'send joe a note'],
    ["please add a note 'the boys' secret list' for Joe", 'please add a note'],
    ["send this to Joe: 'I’m ill, the boys' and girls' too' today", 'send this to joe'],
    ['note "order the 24" monitor for Ada Miller" today', ''],
    ['note "buy milk" on the boys\' list', 'note on the boys list'],
    ['mail "hi"there" secret" to Joe', 'mail to joe'],
    ['send Joe this note: "secret"secret today', 'send joe this note'],
    ['note 5"secret text" today', 'note today'],
    ['print two 5"x7 photos of Joe', 'print two photos of joe'],
    ["mail ``secret one'' and ```secret two``` to Joe", 'mail and to joe'],
    ['mail ´secret text´ to Joe´s team', 'mail to joe s team'],
    ['mail ’secret one’, ‛secret two’ and ‟secret three” to Joe', 'mail and to joe'],
    ['mail ‚secret one‘ and ‚secret two’ to Joe', 'mail and to joe'],
    ['mail 《secret one》, 〝secret two〞 and ❝secret three❞ to Joe', 'mail and to joe'],
    ['send Joe this note: ’secret text', 'send joe this note'],
    ['open www.clinic.example/patients/miller or clinic.example/patients/miller!', 'open or'],
    ['open (shop.clinic.example), clinic.example:8080/miller, localhost:3000/miller, 10.0.0.1/miller or ftp://miller/x', 'open or ftp'],
    ['ask ada@clinic for tasks of monday.com, e.g. new ones', 'ask for tasks of monday com e g new ones'],
    ['add ١٢٣ and １２３ and AB１２', 'add and and'],
  ])('keeps of %j: %j', (prompt, kept) => {
    expect(pastWords(prompt)).toBe(kept)
    expect(pastWords(kept)).toBe(kept)
  })

  it('keeps the beginning of a long prompt', () => {
    expect(pastWords('x'.repeat(1_500))).toBe('x'.repeat(1_000))
  })

  it.each(['"secret secret"', "'secret secret'", '‘secret secret’', '„secret secret“', 'secret@clinic.example', 'secret-secret-5'])(
    'keeps no part of a value that crosses the cut of a long prompt: %s',
    (value) => {
      for (let length = 980; length <= 1_000; length++) expect(pastWords(`${'x'.repeat(length)} ${value}`)).toBe('x'.repeat(length))
    },
  )
})
