<#--
  META-INF/THIRD-PARTY.txt: the artifacts of others that one of ours brings along, with their licences. A template of
  license-maven-plugin, in Freemarker.
-->
<#-- What their poms leave out: what else is in group:artifact. (An artifact whose pom names no licence fails the build:
     the plugin's overrideFile would name it.) -->
<#assign inside = {
  "com.github.jnr:jffi": "libffi (MIT)",
  "com.github.luben:zstd-jni": "Zstandard (BSD-3-Clause)",
  "io.github.speedb-io:speedbjni": "snappy (BSD-3-Clause), LZ4 (BSD-2-Clause), Zstandard (BSD-3-Clause), zlib (Zlib), bzip2 (bzip2-1.0.6)",
  "net.java.dev.jna:jna": "libffi (MIT)",
  "net.jpountz.lz4:lz4": "LZ4 (BSD-2-Clause)",
  "party.iroiro.luajava:lua51-platform": "Lua 5.1.5 (MIT)",
  "org.rocksdb:rocksdbjni": "snappy (BSD-3-Clause), LZ4 (BSD-2-Clause), Zstandard (BSD-3-Clause), zlib (Zlib), bzip2 (bzip2-1.0.6)",
  "org.xerial:sqlite-jdbc": "SQLite (public domain)",
  "org.xerial.snappy:snappy-java": "snappy (BSD-3-Clause)"
}>
KV Stadium is licensed under the Apache License 2.0. This part of it uses these artifacts of others:

<#list dependencyMap as entry>
<#assign artifact = entry.key, id = artifact.groupId + ":" + artifact.artifactId>
<#if artifact.groupId != "io.kvstadium">
${id}:${artifact.version}
    ${artifact.name}<#if artifact.url??>, ${artifact.url}</#if>
    licence: ${entry.value?join(" or ")}
<#if inside[id]??>
    contains: ${inside[id]}
</#if>
<#list artifact.licenses as licence><#if licence.url??>
    text: ${licence.url}
</#if></#list>

</#if>
</#list>
