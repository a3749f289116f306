// SPDX-License-Identifier: Apache-2.0

// Fakes of every port, a manual clock, seeded fault plans, scripts of whole interactions and a terminal to read them
// on, and the contract suites for fakes and real parts.
