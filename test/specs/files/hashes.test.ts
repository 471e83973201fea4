import { expect, test } from "vitest";
import { hashOf, hashOfFile } from "../../../src/specs/files/hashes.ts";
import { temporaryFolder, writeInto } from "../../support/agon.ts";

test("a hash is the beginning of the SHA-256, which FIPS 180 gives for abc", () => {
  expect(hashOf("abc")).toBe("ba7816bf8f01cfea414140de");
  // The SHA-256 of no characters.
  expect(hashOf("")).toBe("e3b0c44298fc1c149afbf4c8");
});

test("parts are told apart, and a number is its text", () => {
  expect(hashOf("ab", "c")).not.toBe(hashOf("a", "bc"));
  expect(hashOf("a", "")).not.toBe(hashOf("a"));
  expect(hashOf("a", 12)).toBe(hashOf("a", "12"));
});

test("a file's hash is that of its content, which may be longer than a part", () => {
  const dir = temporaryFolder();
  expect(hashOfFile(writeInto(dir, "abc.txt", "abc"))).toMatch(new RegExp(`^${hashOf("abc")}`));
  const long = "0123456789".repeat(250_000);
  expect(hashOfFile(writeInto(dir, "long.txt", long))).toMatch(new RegExp(`^${hashOf(long)}`));
  expect(() => hashOfFile(`${dir}/none.txt`)).toThrow("ENOENT");
});
