namespace System.Runtime.CompilerServices;

/// <summary>What the C# compiler asks for where a record is declared, and .NET Standard 2.0 lacks.</summary>
internal static class IsExternalInit;
