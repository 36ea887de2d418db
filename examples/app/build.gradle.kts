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
  testRuntimeOnly("io.kvstadium:kv-stadium-engine-memory")
  testImplementation(platform("org.junit:junit-bom:6.1.3"))
  testImplementation("org.junit.jupiter:junit-jupiter")
  testRuntimeOnly("org.junit.platform:junit-platform-launcher")
}

tasks.test {
  useJUnitPlatform()
  jvmArgs("--enable-native-access=ALL-UNNAMED")
}

application { // ./gradlew run --args sqlite:data/visits
  mainClass = "app.Visits"
  applicationDefaultJvmArgs = listOf("--enable-native-access=ALL-UNNAMED")
}
