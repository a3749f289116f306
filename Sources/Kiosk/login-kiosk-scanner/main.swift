// SPDX-License-Identifier: Apache-2.0

// The scanner process: frames in, symbols out, see docs/scanner.md. The kiosk starts it; people need not. It reads
// pictures that anybody holds up, with C libraries. So it first gives up all rights that it does not need, after its
// arguments name them and before it opens anything.

import Glibc
import LinuxSystem

ProgramStart.prepare()
exit(ScannerProgram.main(Array(CommandLine.arguments.dropFirst())))
