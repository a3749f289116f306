// SPDX-License-Identifier: Apache-2.0

// The scanner process: frames in, symbols out, see docs/scanner.md. The kiosk starts it; a person need not. It reads
// pictures that strangers hold up, by C libraries, and therefore gives up first what it does not need: once its
// arguments say what that is, before it opens anything.

import Glibc
import LinuxSystem

ProgramStart.prepare()
exit(ScannerProgram.main(Array(CommandLine.arguments.dropFirst())))
