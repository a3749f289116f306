// SPDX-License-Identifier: Apache-2.0

// The display process: views in, pictures on a panel, see docs/screens.md. The kiosk starts it; people need not. It
// draws strangers' texts with libraries for fonts. So it first gives up all rights that it does not need, before it
// opens anything.

import Glibc
import LinuxSystem

ProgramStart.prepare()
exit(DisplayProgram.main(Array(CommandLine.arguments.dropFirst())))
