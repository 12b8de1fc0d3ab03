// The texts of solving puzzles, which the application and the pages of puzzles share: en, nl, fr, it, pt, ru.

export const SOLVING_TEXTS = {
  "alsoGood": ["{} is just as good as {}", "{} is even goed als {}", "{} est aussi bon que {}", "{} vale quanto {}", "{} é tão bom quanto {}", "{} не хуже, чем {}"],
  "blackKing": ["Black king", "Zwarte dam", "Dame noire", "Dama nera", "Dama preta", "Чёрная дамка"],
  "blackMan": ["Black man", "Zwarte schijf", "Pion noir", "Pedina nera", "Pedra preta", "Чёрная шашка"],
  "empty": ["Empty", "Leeg", "Vide", "Vuota", "Vazia", "Пусто"],
  "goal-draw": ["Find the move that saves the game", "Zoek de zet die de partij redt", "Trouvez le coup qui sauve la partie", "Trova la mossa che salva la partita", "Encontre o lance que salva a partida", "Найдите ход, спасающий партию"],
  "goal-material": ["Find the shot", "Zoek de slagzet", "Trouvez la combinaison", "Trova il tiro", "Encontre o golpe", "Найдите удар"],
  "goal-win": ["Find the winning move", "Zoek de winnende zet", "Trouvez le coup gagnant", "Trova la mossa vincente", "Encontre o lance vencedor", "Найдите выигрывающий ход"],
  "hint": ["Hint", "Hint", "Indice", "Suggerimento", "Dica", "Подсказка"],
  "hintPiece": ["Move the piece on {}", "Speel het stuk op {}", "Jouez la pièce en {}", "Muovi il pezzo in {}", "Jogue a peça em {}", "Ходите шашкой с поля {}"],
  "king": ["king", "dam", "dame", "dama", "dama", "дамка"],
  "nextQuestion": ["Next", "Volgende", "Suivant", "Avanti", "Próximo", "Дальше"],
  "rightMove": ["{}: right!", "{}: goed!", "{} : bien joué !", "{}: giusto!", "{}: certo!", "{}: верно!"],
  "solution": ["Show the solution", "Oplossing tonen", "Voir la solution", "Mostra la soluzione", "Ver a solução", "Показать решение"],
  "solutionIs": ["The solution: {}", "De oplossing: {}", "La solution : {}", "La soluzione: {}", "A solução: {}", "Решение: {}"],
  "solvedOf": ["{} of {} solved", "{} van {} opgelost", "Résolus : {} sur {}", "Risolti: {} su {}", "Resolvidos: {} de {}", "Решено: {} из {}"],
  "typeMove": ["Type a move", "Typ een zet", "Tapez un coup", "Scrivi una mossa", "Digite um lance", "Введите ход"],
  "whichMove": ["Which move?", "Welke zet?", "Quel coup ?", "Quale mossa?", "Qual lance?", "Какой ход?"],
  "whiteKing": ["White king", "Witte dam", "Dame blanche", "Dama bianca", "Dama branca", "Белая дамка"],
  "whiteMan": ["White man", "Witte schijf", "Pion blanc", "Pedina bianca", "Pedra branca", "Белая шашка"],
  "wrongMove": ["{} is not the best move. Try again.", "{} is niet de beste zet. Probeer het nog eens.", "{} n’est pas le meilleur coup. Réessayez.", "{} non è la mossa migliore. Riprova.", "{} não é o melhor lance. Tente de novo.", "{} — не лучший ход. Попробуйте ещё раз."]
};
