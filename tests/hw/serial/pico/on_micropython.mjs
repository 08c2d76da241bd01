// Runs the firmware under MicroPython itself, compiled to WebAssembly:
// node on_micropython.mjs PACKAGE FIRMWARE CONTROL WIRE usb|uart|air told|real rp2|esp32
// The orders are those of on_python.py.

import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [home, firmware, control, wire, link, clock, family] = process.argv.slice(2);
const orders = Number(control), line = Number(wire);
const here = path.dirname(fileURLToPath(import.meta.url));
const { loadMicroPython } = await import(pathToFileURL(path.join(home, "micropython.mjs")));

const levels = new Map(), volts = new Map();
let joined = false;
const began = clock === "real" ? performance.now() : null;
const cell = new Int32Array(new SharedArrayBuffer(4));
let now = 0, until = 0, fed = 0, patience = 0, heard = [];

function ticks() {
  if (began !== null) now = Math.floor(performance.now() - began);
  return now;
}

// In real time there may be none at the moment, and nobody waits for it.
function order() {
  let text = "";
  const one = Buffer.alloc(1);
  try {
    while (fs.readSync(orders, one) === 1 && one[0] !== 10) text += String.fromCharCode(one[0]);
  } catch (error) {
    if (error.code !== "EAGAIN") throw error;
    return null;
  }
  return text.split(" ");
}

function sleep(milliseconds) {
  if (began === null) now += milliseconds;
  else Atomics.wait(cell, 0, 0, milliseconds);
  while (ticks() >= until) {
    const asked = order();
    if (asked === null) break;
    const [what, first, second] = asked;
    if (what === "pin") levels.set(Number(first), Number(second));
    else if (what === "pass") until = ticks() + Number(first);
    else if (what === "hang") now += Number(first);
    else if (what === "volt") volts.set(Number(first), Number(second));
    else process.exit();
    fs.writeSync(orders, ".");
  }
}

function waiting() {
  const some = Buffer.alloc(256);
  try {
    heard.push(...some.subarray(0, fs.readSync(line, some)));
  } catch (error) {
    if (error.code !== "EAGAIN") throw error;
  }
  return heard.length;
}

const world = {
  start: () => Math.floor(Math.random() * 65536),
  family: () => family,
  voltage: (number) => volts.get(number) ?? 0,
  reset: () => process.exit(4),
  join: () => { joined = link === "air"; },
  is_joined: () => joined,
  send_packet: (digits) => {
    try {
      fs.writeSync(line, Buffer.from(digits, "hex"));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  },
  receive_packet: () => {
    const packet = Buffer.alloc(2048);
    try {
      return packet.subarray(0, fs.readSync(line, packet)).toString("hex");
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      return "";
    }
  },
  watch: (milliseconds) => { patience = milliseconds; fed = ticks(); },
  feed: () => {
    if (ticks() - fed > patience) process.exit(3);
    fed = now;
  },
  pin: (number) => (levels.has(number) ? levels.get(number) : 1),
  light: () => {},
  ticks,
  sleep,
  uart_write: (text) => { if (link === "uart") fs.writeSync(line, text); },
  usb_waiting: () => (link === "usb" ? waiting() : 0),
  uart_waiting: () => (link === "uart" ? waiting() : 0),
  uart_read: () => heard.shift(),
};

const micropython = await loadMicroPython({
  stdout: (bytes) => { if (link === "usb") fs.writeSync(line, Buffer.from(bytes)); },
  stdin: () => heard.shift(),
  stderr: (bytes) => fs.writeSync(2, Buffer.from(bytes)),
  linebuffer: false,
});
micropython.registerJsModule("world", world);
for (const name of ["machine", "micropython", "network", "os", "select", "socket", "time"])
  micropython.FS.writeFile(`/${name}.py`, fs.readFileSync(path.join(here, "board", `${name}.py`), "utf8"));
for (const [name, from] of [["radio.py", path.dirname(firmware)], ["radio.json", process.cwd()]])
  if (fs.existsSync(path.join(from, name)))
    micropython.FS.writeFile(`/${name}`, fs.readFileSync(path.join(from, name), "utf8"));
micropython.FS.writeFile("/main.py", fs.readFileSync(firmware, "utf8"));
micropython.runPython("import sys; sys.path.insert(0, '/'); exec(open('/main.py').read(), {'__name__': '__main__'})");
