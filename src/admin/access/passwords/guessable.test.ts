/** Tests which new passwords are refused because attackers try them first. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commonPasswords } from './common.ts';
import { isGuessable } from './guessable.ts';

const refused = {
  'a common password with digits or signs around it': [
    'Password1234',
    'password2026!',
    '!!Welcome2025!!',
    'administrator',
    'letmein12345',
    'Iloveyou!2024',
    'manchesterunited',
    'simgate-2026-1405',
  ],
  'letters written as digits and signs': [
    'P@ssw0rd1234',
    'l3tm31n!!2025',
    '4dm1n1str4t0r',
    'pa55word!2025',
  ],
  'digits within the word': ['pass123word456', 'a1d2m3i4n5-6789'],
  'two common words side by side': [
    'adminpassword',
    'sunshine princess',
    'dragon-monkey-1',
    'alireza1375Hossein',
  ],
  'a repetition': ['abcabcabcabc', 'passwordpassword', 'x7#x7#x7#x7#x7#', 'tehrantehran12'],
  'a sequence': [
    '123456789012',
    'abcdefghijkl',
    '9876543210987',
    'abcd1234efgh5678',
    '۱۲۳۴۵۶۷۸۹۰۱۲',
  ],
  'a walk on the keyboard': [
    'qwertyuiop12',
    '1qaz2wsx3edc',
    '1q2w3e4r5t6y',
    'qwertzuiop!2',
    'zxcvbnmasdfg',
    'ضصثقفغعهخحجچ',
  ],
  'Persian in Latin letters': [
    'dostetdaram123',
    'perspolis1400',
    'Mohammadreza1365',
    'Yaali_madad-110',
    'esteghlal!!!',
  ],
  'Persian in its own letters': ['دوستتدارم۱۴۰۰', 'پرسپولیس۱۲۳۴'],
};

const taken = [
  'correct horse battery',
  'staple of paper',
  'another good one',
  'four random words here',
  'vK9#mQ2$xL7!pR4z',
  'b7f3c2a9e1d8',
  'Unusual-Lantern-Gravel-58',
  'یک جملهٔ بلند که کسی نمی‌داند',
  'the owl reads at 3 o’clock',
];

describe('a new password', () => {
  for (const [what, passwords] of Object.entries(refused)) {
    test(`is refused if it is ${what}`, () => {
      for (const password of passwords) assert.ok(isGuessable(password), password);
    });
  }

  test('is accepted if it is not among those tried first', () => {
    for (const password of taken) assert.ok(!isGuessable(password), password);
  });

  test('of the greatest length is judged quickly', () => {
    const began = performance.now();
    for (const sign of ['a', 'ab', 'password', 'q1']) isGuessable(sign.repeat(256).slice(0, 256));
    assert.ok(performance.now() - began < 1000);
  });
});

test('the list is small, in lower case, and has nothing twice in a group of words', () => {
  assert.ok(commonPasswords.length > 1500 && commonPasswords.length < 4000);
  for (const word of commonPasswords) assert.equal(word, word.normalize('NFKC').toLowerCase());
  assert.ok(commonPasswords.every((word) => word.length >= 2));
});
