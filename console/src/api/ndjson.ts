/** Parses a stream of newline-delimited JSON, regardless of chunk boundaries. Pure. */

/** The values of an answer, each as soon as its line is complete. Throws on an invalid line. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = '';
  for await (const chunk of chunks) {
    const [end = '', ...begun] = decoder.decode(chunk, { stream: true }).split('\n');
    line += end;
    for (const next of begun) {
      if (line.trim() !== '') yield JSON.parse(line);
      line = next;
    }
  }
  line += decoder.decode();
  if (line.trim() !== '') yield JSON.parse(line);
}

/** The bytes of a body as they arrive; not every browser can iterate over a stream. */
export async function* bytesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}
