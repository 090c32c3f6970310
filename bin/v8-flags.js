/**
 * What V8 is told when a server starts. Its young objects live as long as a purchase: in the 1 MB that V8
 * begins with most of them are moved to the old ones before they die, and all that it may widen it to
 * would cost 50 MB. Of the old ones it lets several times as much pile up as is in use before it looks
 * which are dead: some more is enough. And it looks with so many threads that on few processors requests
 * wait for them: one is enough.
 */
export const spaces = [
  '--max-semi-space-size=6',
  '--heap-growing-percent=20',
  '--concurrent-marking-max-worker-num=1',
];
