import { builtInFunction as appFunction, businessAccount } from './built-in-accounts.ts'
import { build } from './sample-app.ts'

type Args = Readonly<Record<string, unknown>>

const mailchimp = 'https://us6.api.mailchimp.com/3.0'
const graph = 'https://graph.facebook.com/v23.0'
const twilio = `https://api.twilio.com/2010-04-01/Accounts/${businessAccount.account_sid}`
const file = { name: 'a.pdf', contentType: 'application/pdf', bytes: Buffer.from('%PDF') }

function lineAndBody(app: string, phrase: string, args: Args): [string, unknown] {
  const { method, url, body } = build(appFunction(app, phrase), args, businessAccount)
  return [`${method} ${url}`, body === undefined ? null : JSON.parse(String(body))]
}

describe('the apps for messages', () => {
  it.each<[string, string, Args, string, unknown]>([
    ['mailchimp', 'get-account', {}, `GET ${mailchimp}/`, null],
    [
      'mailchimp',
      'save-member',
      { list_id: 'l', email: 'a@b.c', first_name: 'A' },
      `PUT ${mailchimp}/lists/l/members/a%40b.c`,
      { email_address: 'a@b.c', status_if_new: 'subscribed', merge_fields: { FNAME: 'A' } },
    ],
    [
      'resend',
      'send-email',
      { from: 'a@b.c', to: ['d@e.f'], subject: 's', text: 't', scheduled_at: 'in 1 hour' },
      'POST https://api.resend.com/emails',
      { from: 'a@b.c', to: ['d@e.f'], subject: 's', text: 't', scheduled_at: 'in 1 hour' },
    ],
    [
      'resend',
      'send-template-email',
      { from: 'a@b.c', to: ['d@e.f'], subject: 's', template_id: 'w', variables: { NAME: 'Ada' } },
      'POST https://api.resend.com/emails',
      { from: 'a@b.c', to: ['d@e.f'], subject: 's', template: { id: 'w', variables: { NAME: 'Ada' } } },
    ],
    [
      'resend',
      'create-contact',
      { email: 'a@b.c', segment_id: 's1' },
      'POST https://api.resend.com/contacts',
      { email: 'a@b.c', segments: [{ id: 's1' }] },
    ],
    ['resend', 'create-contact', { email: 'a@b.c' }, 'POST https://api.resend.com/contacts', { email: 'a@b.c' }],
    [
      'whatsapp-business',
      'send-text',
      { phone_number_id: '1', to: '+44', text: 'hi' },
      `POST ${graph}/1/messages`,
      { messaging_product: 'whatsapp', recipient_type: 'individual', to: '+44', type: 'text', text: { body: 'hi' } },
    ],
    [
      'whatsapp-business',
      'send-template',
      { phone_number_id: '1', to: '+44', template: 'hello_world' },
      `POST ${graph}/1/messages`,
      {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: '+44',
        type: 'template',
        template: { name: 'hello_world', language: { code: 'en_US' } },
      },
    ],
    ['whatsapp-business', 'list-templates', { limit: 5 }, `GET ${graph}/999/message_templates?limit=5`, null],
    [
      'sendgrid',
      'unsubscribe',
      { emails: ['a@b.c'] },
      'POST https://api.sendgrid.com/v3/asm/suppressions/global',
      { recipient_emails: ['a@b.c'] },
    ],
    ['sendgrid', 'remove-bounce', { email: 'a@b.c' }, 'DELETE https://api.sendgrid.com/v3/suppression/bounces/a%40b.c', null],
    ['twilio', 'get-account', {}, `GET ${twilio}.json`, null],
    ['twilio', 'list-messaging-services', {}, 'GET https://messaging.twilio.com/v1/Services?PageSize=50', null],
  ])('app %s builds the request of %s', (app, phrase, args, line, body) => {
    expect(lineAndBody(app, phrase, args)).toEqual([line, body])
  })

  it('upload media to WhatsApp as multipart', () => {
    const fn = appFunction('whatsapp-business', 'upload-media')
    const request = build(fn, { phone_number_id: '1', type: 'application/pdf', file: {} }, businessAccount, null, { file })
    expect(request.url).toBe(`${graph}/1/media`)
    expect(String(request.body)).toContain('name="messaging_product"\r\n\r\nwhatsapp\r\n')
    expect(String(request.body)).toContain('name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF\r\n')
  })

  it('send the key to Mailchimp as a password', () => {
    const { headers } = build(appFunction('mailchimp', 'get-account'), {}, businessAccount)
    expect(headers).toEqual({ authorization: `Basic ${btoa('onward:K')}` })
  })
})

describe('the apps of language models', () => {
  it.each<[string, string, Args, string, unknown]>([
    [
      'openai',
      'create-response',
      { model: 'gpt-5-mini', input: 'hi', reasoning_effort: 'low' },
      'POST https://api.openai.com/v1/responses',
      { model: 'gpt-5-mini', input: 'hi', reasoning: { effort: 'low' } },
    ],
    [
      'openai',
      'create-embeddings',
      { input: ['a', 'b'] },
      'POST https://api.openai.com/v1/embeddings',
      { input: ['a', 'b'], model: 'text-embedding-3-small' },
    ],
    [
      'anthropic',
      'create-message',
      { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'hi' }] },
      'POST https://api.anthropic.com/v1/messages',
      { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'hi' }], max_tokens: 1024 },
    ],
    [
      'openai',
      'generate-image',
      { prompt: 'a lighthouse' },
      'POST https://api.openai.com/v1/images/generations',
      { prompt: 'a lighthouse', model: 'gpt-image-2.6-flare', n: 1 },
    ],
    ['anthropic', 'list-files', {}, 'GET https://api.anthropic.com/v1/files?limit=20', null],
  ])('app %s builds the request of %s', (app, phrase, args, line, body) => {
    expect(lineAndBody(app, phrase, args)).toEqual([line, body])
  })

  it('send key and version to Anthropic', () => {
    const { headers } = build(appFunction('anthropic', 'list-models'), {}, businessAccount)
    expect(headers).toEqual({ 'anthropic-version': '2023-06-01', 'x-api-key': 'K' })
  })

  it('send audio and model to OpenAI as multipart', () => {
    const request = build(appFunction('openai', 'transcribe-audio'), { file: {} }, businessAccount, null, { file })
    expect(request).toMatchObject({ method: 'POST', url: 'https://api.openai.com/v1/audio/transcriptions' })
    expect(String(request.body)).toContain('name="model"\r\n\r\ngpt-transcribe\r\n')
  })

  it('are not retried when a repeated request costs money', () => {
    expect(appFunction('openai', 'transcribe-audio').safeToRetry).toBe(false)
    expect(appFunction('openai', 'create-speech').safeToRetry).toBe(false)
    expect(appFunction('openai', 'create-embeddings').safeToRetry).toBe(true)
  })
})
