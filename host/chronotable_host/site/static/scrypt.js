// @ts-check
/** The part of scrypt (RFC 7914) that takes long: a browser has all of it nowhere. */

/**
 * Mix blocks of 128 bytes each with what they were before, as ROMix does.
 * @param {any} begin their bytes, as Python has them @param {number} cost a power of two
 */
export function mixBlocks(begin, cost) {
  const bytes = begin.toJs();
  const now = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const { length } = now;
  const before = new Uint32Array(length * cost);
  const mixed = new Uint32Array(length);
  for (let at = 0; at < cost; at++) {
    before.set(now, at * length);
    mix(now, mixed);
  }
  for (let round = 0; round < cost; round++) {
    const from = (now[length - 16] & (cost - 1)) * length;
    for (let at = 0; at < length; at++) now[at] ^= before[from + at];
    mix(now, mixed);
  }
  return new Uint8Array(now.buffer);
}

/** @param {Uint32Array} now is mixed @param {Uint32Array} mixed is written over */
function mix(now, mixed) {
  const last = now.slice(-16);
  const half = now.length / 32;
  for (let block = 0; block < 2 * half; block++) {
    for (let at = 0; at < 16; at++) last[at] ^= now[16 * block + at];
    salsa(last);
    mixed.set(last, 16 * ((block >> 1) + (block & 1 ? half : 0)));
  }
  now.set(mixed);
}

const QUARTERS = [[0, 4, 8, 12], [5, 9, 13, 1], [10, 14, 2, 6], [15, 3, 7, 11], [0, 1, 2, 3], [5, 6, 7, 4], [10, 11, 8, 9], [15, 12, 13, 14]];
const LEFT = [7, 9, 13, 18];

/** Salsa20 with eight rounds. @param {Uint32Array} words */
function salsa(words) {
  const all = words.slice();
  for (let round = 0; round < 8; round += 2)
    for (const at of QUARTERS)
      for (let step = 0; step < 4; step++) {
        const sum = (all[at[step]] + all[at[(step + 3) & 3]]) | 0;
        all[at[(step + 1) & 3]] ^= (sum << LEFT[step]) | (sum >>> (32 - LEFT[step]));
      }
  for (let at = 0; at < 16; at++) words[at] += all[at];
}
