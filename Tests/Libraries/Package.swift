// swift-tools-version: 6.2
import PackageDescription

// The tests and the benchmark of the libraries for other people's tests, as those people have them: in a process of their
// own, since virtual time replaces what a whole process waits with, and without what only the program needs.

// Targets of a user's package. SwiftPM rejects a package graph in which two packages have a target of the same name.
let commonNames = [
    "Access", "App", "Audio", "Cache", "Channel", "Charts", "Client", "Commands", "Common", "Comparison",
    "Containers", "Core", "Data", "Decoding", "Downloads", "Drawing", "Events", "Fetch", "HLS", "HTTP", "Harness",
    "History", "Library", "Link", "Media", "Models", "Network", "Notation", "Origin", "Packager", "Page", "Playback",
    "Player", "Playlists", "Profiles", "Proxy", "QRCode", "Recordings", "Server", "Settings", "Story", "Timeline",
    "Tracks", "UI", "UPnP", "Validation", "Verification", "Workers",
]

let package = Package(
    name: "LibraryTests",
    dependencies: [
        .package(name: "segue", path: "../..", traits: []),
        .package(name: "Controllers", path: "../../examples/own-player"),
    ],
    targets: [
        // The subjects of the reproducibility tests and of the benchmarks.
        .target(name: "AppHour", dependencies: [.product(name: "SegueTime", package: "segue")]),
        .executableTarget(
            name: "LibraryBench",
            dependencies: [
                "AppHour", .product(name: "SeguePlayer", package: "segue"),
                .product(name: "SegueTime", package: "segue"),
            ]
        ),
        .testTarget(name: "SegueHLSTests", dependencies: [.product(name: "SegueHLS", package: "segue")]),
        .testTarget(
            name: "SegueTimeTests",
            dependencies: [
                "AppHour", .product(name: "SegueTime", package: "segue"),
                .product(name: "SegueTimeTesting", package: "segue"),
            ]
        ),
        .testTarget(
            name: "SegueTimeXCTestTests",
            dependencies: [
                .product(name: "SegueTime", package: "segue"), .product(name: "SegueTimeXCTest", package: "segue"),
            ]
        ),
        .testTarget(
            name: "SeguePlayerTests",
            dependencies: [
                .product(name: "Controllers", package: "Controllers"),
                .product(name: "SeguePlayer", package: "segue"), .product(name: "SegueTime", package: "segue"),
            ]
        ),
        // Servers of the packages that bring C libraries with them.
        .testTarget(
            name: "ServersTests",
            dependencies: [
                .product(name: "SegueMedia", package: "segue"), .product(name: "SeguePlayer", package: "segue"),
                .product(name: "SegueRecord", package: "segue"),
            ]
        ),
        .testTarget(
            name: "ExploreTests",
            dependencies: [
                .product(name: "SeguePlayer", package: "segue"), .product(name: "SegueTime", package: "segue"),
            ]
        ),
        .testTarget(
            name: "TargetNameTests",
            dependencies: commonNames.map { .target(name: $0) }
                + ["SegueHLS", "SegueLink", "SeguePlayer", "SegueRecord", "SegueTime"].map {
                    .product(name: $0, package: "segue")
                }
        ),
    ] + commonNames.map { .target(name: $0, path: "Sources/Names/\($0)") }
)
