rootProject.name = "visits"
