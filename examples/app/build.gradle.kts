plugins {
  application
}

repositories {
  mavenLocal() // as long as the artifacts are not on Maven Central
  mavenCentral()
}

java {
  toolchain {
    languageVersion = JavaLanguageVersion.of(25)
  }
}

dependencies {
  implementation(platform("io.kvstadium:kv-stadium-bom:0.1.0"))
  implementation("io.kvstadium:kv-stadium-store")
  runtimeOnly("io.kvstadium:kv-stadium-engine-sqlite")
}

application { // gradle run --args sqlite:data/visits
  mainClass = "app.Visits"
  applicationDefaultJvmArgs = listOf("--enable-native-access=ALL-UNNAMED")
}
