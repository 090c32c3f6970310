/** Serves whom to contact at a client, who is billed, and the notes about it, over HTTP. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { dropEmptyQuery } from '../../lib/http/query.ts';
import type { MobileFormat } from '../../lib/mobile.ts';
import { answer } from '../../lib/openapi/answer.ts';
import { recordOf } from '../../lib/record.ts';
import { formatTime } from '../../lib/time.ts';
import { actorIn, visitIn } from '../access/guard.ts';
import { KeySchema } from '../audit/idempotency.ts';
import { type Mask, maskFor } from '../mask.ts';
import { bodyOf, exampleId, exampleTime, refusals } from '../wire.ts';
import { actOnce, type ClientsDeps, runAction } from './act.ts';
import { addNote, type Contact, contactFields, contactOf, longest, setContact } from './contact.ts';
import { limitOf, nextSchema, pageOf, pageQuery } from './page.ts';
import { changing, clientParam, common, ofClient, one, reading } from './routes.ts';
import { findContact, listNotes, type NoteRow } from './store.ts';
import { assertClient } from './webhooks.ts';

const text = (maxLength: number, description: string) =>
  Type.String({ maxLength, description: `${description} Empty if it is not known.` });

const contact = {
  name: text(longest.name, 'Whom to ask for.'),
  email: text(longest.email, 'The e-mail address.'),
  phone: text(longest.phone, 'The phone number, as people write it.'),
  about: text(longest.about, 'Anything else, such as the contract.'),
};

const billing = {
  legal_name: text(longest.legal_name, 'The name on invoices, if it is not that of the client.'),
  tax_number: text(longest.tax_number, 'The number for taxes, on invoices.'),
  address: text(longest.address, 'The address on invoices.'),
};

const ContactSchema = Type.Object(
  { ...contact, ...billing },
  { title: 'ClientContact', description: 'Whom to contact at a client, and who is billed.' },
);

const given = { ...contact, ...Type.Partial(Type.Object(billing)).properties };

const exampleContact: Static<typeof ContactSchema> = {
  name: 'Accounting desk',
  email: 'accounting@shop.example',
  phone: '+98 21 5555 0100',
  about: 'Weekdays from 9 to 5.',
  legal_name: 'Example Shop Ltd.',
  tax_number: '10320894478',
  address: '12 Example Street',
};

const NoteSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID of the note.' }),
    at: Type.String({ description: 'When it was written.' }),
    author: Type.String({ description: 'The name of the account that wrote it.' }),
    note: Type.String({ description: 'The note.' }),
  },
  { title: 'ClientNote', description: 'A note about a client. Notes are never changed.' },
);

type Note = Static<typeof NoteSchema>;

const exampleNote: Note = {
  id: exampleId,
  at: exampleTime,
  author: 'office',
  note: 'Asked for a higher daily limit.',
};

const params = Type.Object(clientParam);
const masked = 'Mobile numbers are masked for roles that cannot see them.';

const schemas = {
  get: {
    ...common,
    operationId: 'getClientContact',
    summary: "Get a client's contact",
    description: `Returns whom to contact. ${masked}`,
    params,
    response: {
      200: answer(ContactSchema, 'The contact.', exampleContact),
      ...refusals(...ofClient),
    },
  },
  set: {
    ...common,
    operationId: 'setClientContact',
    summary: "Update a client's contact",
    description: 'Replaces all fields. Billing fields that are left out stay as they are.',
    params,
    body: bodyOf(given, exampleContact),
    response: { 200: answer(ContactSchema, 'The contact.'), ...refusals(...ofClient) },
  },
  list: {
    ...common,
    operationId: 'listClientNotes',
    summary: 'List notes about a client',
    description: `Returns notes, newest first. ${masked}`,
    params,
    querystring: Type.Object(pageQuery),
    response: {
      200: answer(
        Type.Object({
          data: Type.Array(NoteSchema, { description: 'The notes of the page.' }),
          next: nextSchema,
        }),
        'A page of notes.',
        { data: [exampleNote], next: null },
      ),
      ...refusals(...ofClient),
    },
  },
  add: {
    ...common,
    operationId: 'addClientNote',
    summary: 'Add a note about a client',
    description: 'Adds a note, once per key. It cannot be changed.',
    params,
    body: bodyOf(
      {
        note: Type.String({ maxLength: longest.note, description: 'The note.' }),
        key: KeySchema,
      },
      { note: exampleNote.note, key: '0b9d3c1e-6a52-4f8e-9c37-2d41f5a6b7c8' },
    ),
    response: {
      201: answer(NoteSchema, 'The note.'),
      ...refusals(...ofClient, 'KEY_REUSED'),
    },
  },
};

const noteToWire = ({ id, at, author, note }: NoteRow, mask: Mask): Note => ({
  id,
  at: formatTime(at),
  author,
  note: mask(note),
});

export const contactRoutes =
  (deps: ClientsDeps & { readonly mobile: MobileFormat }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, mobile } = deps;
    const maskForRequest = (request: FastifyRequest): Mask =>
      maskFor(visitIn(request).account.role, mobile);
    const contactToWire = (found: Contact, mask: Mask) =>
      recordOf(contactFields, (field) => mask(found[field]));

    app.get(`${one}/contact`, { config: reading, schema: schemas.get }, async (request) => {
      const { client_id: id } = request.params;
      await assertClient(db, id);
      return contactToWire(contactOf(await findContact(db, id)), maskForRequest(request));
    });

    app.put(`${one}/contact`, { config: changing, schema: schemas.set }, async (request) => {
      const { params, body } = request;
      return runAction(deps, actorIn(request), (acting) =>
        setContact(acting, params.client_id, body),
      );
    });

    const listing = { config: reading, preValidation: dropEmptyQuery, schema: schemas.list };
    app.get(`${one}/notes`, listing, async (request) => {
      const { params, query } = request;
      await assertClient(db, params.client_id);
      const limit = limitOf(query);
      const wanted = { before: query.before, limit: limit + 1 };
      const { page, next } = pageOf(await listNotes(db, params.client_id, wanted), limit);
      const mask = maskForRequest(request);
      return { data: page.map((row) => noteToWire(row, mask)), next };
    });

    app.post(`${one}/notes`, { config: changing, schema: schemas.add }, async (request, reply) => {
      const { client_id: clientId } = request.params;
      const { note, key } = request.body;
      const actor = actorIn(request);
      const asked = { key, action: 'client note', input: { clientId, note } } as const;
      const { answer: made } = await actOnce(deps, actor, asked, {
        answers: NoteSchema,
        work: (acting) => addNote({ ...acting, actor }, clientId, note),
        answerOf: (row) => noteToWire(row, maskForRequest(request)),
      });
      return reply.code(201).send(made);
    });
  };
