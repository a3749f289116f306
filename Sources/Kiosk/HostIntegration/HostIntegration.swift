// SPDX-License-Identifier: Apache-2.0

// What ties the kiosk to the machine that it runs on: where its files are, its configuration, the trust list, and what
// the doctor looks at.
// It must not know the kiosk's flow, the SDK or any hardware: what the doctor needs of those is handed in.
