// SPDX-License-Identifier: Apache-2.0

// The scanner process: frames in, symbols out, see docs/scanner.md. Its parent starts it; nobody else needs to.
// It reads pictures that strangers hold up, by a C library, and therefore gives up first what it does not need.

import Glibc
import LinuxSystem

ProgramStart.prepare()
do { try Confinement.apply() } catch {
    Complaint.write("\(error)")
    exit(EX_OSERR)
}
exit(ScannerProgram.main(Array(CommandLine.arguments.dropFirst())))
