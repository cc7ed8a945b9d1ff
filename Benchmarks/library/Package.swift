// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "LibraryBench",
    dependencies: [.package(name: "segue", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "LibraryBench",
            dependencies: [
                .product(name: "SeguePlayer", package: "segue"), .product(name: "SegueTime", package: "segue"),
            ]
        )
    ]
)
