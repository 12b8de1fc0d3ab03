# Installs the command pdn for the current user: downloads the archive, verifies its SHA-256 checksum and copies the program.
# Usage: powershell -ExecutionPolicy Bypass -File install.ps1 [-Folder FOLDER]
# PDN_BASE_URL: address with the archives and SHA256SUMS, instead of that of the release.
param([string]$Folder = (Join-Path $env:LOCALAPPDATA 'Programs\pdn'))
$ErrorActionPreference = 'Stop'
[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

$version = '@VERSION@'
$base = if ($env:PDN_BASE_URL) { $env:PDN_BASE_URL } else { "@REPOSITORY@/releases/download/v$version" }
$name = "pdn-v$version-x86_64-pc-windows-msvc"
$work = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid())
New-Item -ItemType Directory $work | Out-Null
try {
    Invoke-WebRequest -UseBasicParsing "$base/$name.zip" -OutFile "$work\$name.zip"
    Invoke-WebRequest -UseBasicParsing "$base/SHA256SUMS" -OutFile "$work\SHA256SUMS"
    $line = Select-String -Path "$work\SHA256SUMS" -Pattern "^([0-9a-f]{64}) [ *]$([Regex]::Escape($name))\.zip$"
    if (-not $line) { throw "SHA256SUMS does not list $name.zip" }
    $expected = $line.Matches[0].Groups[1].Value
    $found = (Get-FileHash -Algorithm SHA256 "$work\$name.zip").Hash.ToLower()
    if ($found -ne $expected) { throw "wrong checksum of $name.zip: expected $expected, found $found; nothing was installed" }

    Expand-Archive "$work\$name.zip" $work
    New-Item -ItemType Directory -Force $Folder | Out-Null
    Copy-Item -Force "$work\$name\pdn.exe" $Folder
    Write-Output "installed pdn $version in $Folder"

    $path = [Environment]::GetEnvironmentVariable('Path', 'User')
    if (($path -split ';') -notcontains $Folder) {
        $longer = @($path, $Folder).Where({ $_ }) -join ';'
        [Environment]::SetEnvironmentVariable('Path', $longer, 'User')
        Write-Output 'added it to PATH; open a new window to run pdn'
    }
} finally {
    Remove-Item -Recurse -Force $work
}
